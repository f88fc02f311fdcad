package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Random;
import dev.outpost.runtime.cuda.code.CudaSource;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Half;
import dev.outpost.types.Scalar;

/** Creates values from numbers alone, without operands. */
public record Creation(CudaLauncher launcher) {
    /** The number of bytes that a thread fills. */
    private static final int BYTES_OF_A_THREAD = 16;

    public Kernel fill(DType dtype) {
        CudaSource source = Template.of(Part.FILL, true)
                .define("STORED", CudaType.moved(dtype).stored())
                .source();
        return (op, _, out) -> {
            Scalar value = ((Fill) op).value();
            long count = out[0].shape().elements();
            long threads = Math.ceilDiv(count, (long) BYTES_OF_A_THREAD / dtype.bytes());
            launcher.run(source, "fill", threads, to(out[0], count).add(bits(dtype, value)));
        };
    }

    /** Returns the bits of a number in a dtype, rounded like an element. */
    static long bits(DType dtype, Scalar value) {
        double number = value.asDouble();
        boolean floating = value.dtype().isFloating();
        return switch (dtype) {
            case FLOAT32 -> Float.floatToRawIntBits(floating ? (float) number : (float) value.asLong());
            case FLOAT64 -> Double.doubleToRawLongBits(number);
            case FLOAT16 -> Half.toFloat16((float) number);
            case BFLOAT16 -> Half.toBfloat16((float) number);
            case INT64, INT32, INT16, INT8, UINT8 -> value.asLong();
            case BOOL -> (floating ? number != 0 : value.asLong() != 0) ? 1 : 0;
        };
    }

    public Kernel arange(Arange shape) {
        boolean floating = shape.start().dtype().isFloating();
        CudaType type = CudaType.of(shape.dtype());
        CudaType wide = floating ? CudaType.F64 : CudaType.I64;
        CudaSource source = Template.of(Part.ARANGE, true)
                .define("STORED", type.stored())
                .define("WIDE", wide.value())
                .define("STORE(x)", type.store() + "(" + wide.value() + "_to_" + type.value() + "(x))")
                .source();
        return (op, _, out) -> {
            Arange arange = (Arange) op;
            KernelArguments arguments = to(out[0], arange.length())
                    .add(arange.start().bits(), arange.step().bits());
            launcher.run(source, "arange", arange.length(), arguments);
        };
    }

    public Kernel random(Random op) {
        CudaType type = CudaType.of(op.type().dtype());
        CudaSource source = Template.of(Part.RANDOM, true)
                .with(Part.PHILOX)
                .define("STORED", type.stored())
                .define("STORE(x)", store(op.fn(), type))
                .define("DRAW(a, i)", draw(op.fn(), type))
                .define(
                        "ELEMENT(a, i)",
                        op.isPart() ? "((a).first + (i) / (a).run * (a).stride + (i) % (a).run)" : "(i)")
                .source();
        return (now, _, out) -> {
            Random random = (Random) now;
            long count = out[0].shape().elements();
            Random.Part part = random.part();
            KernelArguments arguments = to(out[0], count)
                    .add(random.seed(), random.call(), random.low(), random.high())
                    .add(part.first(), part.run(), part.stride());
            launcher.run(source, "random_draws", count, arguments);
        };
    }

    private static String draw(Random.Fn fn, CudaType type) {
        return switch (fn) {
            case UNIFORM -> "uniform_" + type.stored() + "((u64) a.seed, (u64) a.call, i)";
            case NORMAL -> "normal((u64) a.seed, (u64) a.call, i)";
            case INTEGER -> "integer((u64) a.seed, (u64) a.call, i, a.low, a.high)";
        };
    }

    private static String store(Random.Fn fn, CudaType type) {
        String from = switch (fn) {
            case UNIFORM -> type.value();
            case NORMAL -> CudaType.F64.value();
            case INTEGER -> CudaType.I64.value();
        };
        return type.store() + "(" + from + "_to_" + type.value() + "(x))";
    }

    private static KernelArguments to(Array out, long count) {
        return new KernelArguments().add(CudaLauncher.address(out), count);
    }
}
