package dev.outpost.runtime.engine.cpu;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.OperandSamples;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.LongSupplier;

/** A main that prints how long kernels take: median of rounds, warm. Arguments: threads, a part of the names. */
final class Measurements {
    private static final int ROUNDS = 15;
    private static final double ROUND_SECONDS = 0.1;

    private final CpuEngine engine;

    private final String wanted;

    /** The CPU time of the thread if there is only one, because other programs disturb it less. */
    private final LongSupplier clock;

    private Measurements(CpuEngine engine, int threads, String wanted) {
        this.engine = engine;
        this.clock = threads == 1 ? ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime : System::nanoTime;
        this.wanted = wanted;
    }

    public static void main(String[] arguments) {
        int threads = arguments.length > 0
                ? Integer.parseInt(arguments[0])
                : Runtime.getRuntime().availableProcessors();
        try (CpuEngine engine = new CpuEngine(threads, 256L << 20)) {
            System.out.println(engine.device());
            new Measurements(engine, threads, arguments.length > 1 ? arguments[1] : "").all();
        }
    }

    private void all() {
        TestOperand million = floats(1 << 20);
        measure("add 16x16", Case.of(Binary.ADD, floats(16, 16), floats(16, 16)));
        measure("add 1M", Case.of(Binary.ADD, million, million));
        measure("add 1M and scalar", Case.of(Binary.ADD, million, floats()));
        measure("add 1024x1024 and row", Case.of(Binary.ADD, floats(1024, 1024), floats(1024)));
        measure("add 1024x1024 and column", Case.of(Binary.ADD, floats(1024, 1024), floats(1024, 1)));
        measure("relu 1M", Case.of(Unary.RELU, million));
        measure("exp 1M", Case.of(Unary.EXP, million));
        measure("lt 1M", Case.of(Binary.LT, million, million));
        measure("add 1M float16", Case.of(Binary.ADD, of(DType.FLOAT16, 1 << 20), of(DType.FLOAT16, 1 << 20)));
        measure("add 1M bfloat16", Case.of(Binary.ADD, of(DType.BFLOAT16, 1 << 20), of(DType.BFLOAT16, 1 << 20)));
        measure("to int64 1M", Case.of(new Cast(DType.INT64), million));
        measure("copy of a transposed 1024x1024", Case.of(Unary.COPY, transposed()));
        folds(million);
        products();
        measure(
                "look up 1024 of 10000 rows of 256",
                Case.of(new IndexSelect(0), floats(10_000, 256), TestOperand.indices(dense(1024), 10_000)));
        TensorType type = new TensorType(DType.FLOAT32, Shape.of(1 << 20));
        measure("rand 1M", Case.of(new Random(Random.Fn.UNIFORM, type, 1, 1, 0, 0)));
        measure("randn 1M", Case.of(new Random(Random.Fn.NORMAL, type, 1, 1, 0, 0)));
        measure("sort 1M", Case.of(new Sort(0, false), million));
    }

    private void folds(TestOperand million) {
        measure("sum 1M", Case.of(new Reduce(Reduce.Fn.SUM, Axes.of(0), false), million));
        measure("sum 4096x1000, rows", Case.of(new Reduce(Reduce.Fn.SUM, Axes.of(1), false), floats(4096, 1000)));
        measure("sum 4096x1000, columns", Case.of(new Reduce(Reduce.Fn.SUM, Axes.of(0), false), floats(4096, 1000)));
        measure("sum 100000x10, rows", Case.of(new Reduce(Reduce.Fn.SUM, Axes.of(1), false), floats(100_000, 10)));
        measure("sum 64x10, columns", Case.of(new Reduce(Reduce.Fn.SUM, Axes.of(0), false), floats(64, 10)));
        measure("amax 4096x1000, rows", Case.of(new Reduce(Reduce.Fn.MAX, Axes.of(1), false), floats(4096, 1000)));
        measure("argmax 4096x1000", Case.of(new ArgReduce(ArgReduce.Fn.ARGMAX, 1, false), floats(4096, 1000)));
        measure("cumsum 1M", Case.of(new Cumulative(Reduce.Fn.SUM, 0), million));
    }

    private void products() {
        for (int size : new int[] {8, 64, 256, 1024}) {
            measure("matmul " + size, Case.of(new Matmul(), floats(1, size, size), floats(1, size, size)));
        }
        measure("matmul 64x784x512", Case.of(new Matmul(), floats(1, 64, 784), floats(1, 784, 512)));
        measure(
                "matmul 256 float16",
                Case.of(new Matmul(), of(DType.FLOAT16, 1, 256, 256), of(DType.FLOAT16, 1, 256, 256)));
        measure("matmul 256 int64", Case.of(new Matmul(), of(DType.INT64, 1, 256, 256), of(DType.INT64, 1, 256, 256)));
    }

    private static TestOperand floats(long... sizes) {
        return of(DType.FLOAT32, sizes);
    }

    private static TestOperand of(DType dtype, long... sizes) {
        return TestOperand.of(OperandSamples.ORDINARY, dtype, dense(sizes), 0);
    }

    private static TestOperand transposed() {
        return TestOperand.of(
                OperandSamples.ORDINARY, DType.FLOAT32, dense(1024, 1024).transpose(0, 1), 0);
    }

    private static Layout dense(long... sizes) {
        return Layout.contiguous(Shape.of(sizes));
    }

    private void measure(String name, Case run) {
        if (!name.contains(wanted)) {
            return;
        }
        Instruction instruction = EngineComparison.instruction(run);
        Kernel kernel = engine.compile(instruction);
        Array[] operands =
                run.operands().stream().map(operand -> operand.on(engine)).toArray(Array[]::new);
        Array[] results = new Array[instruction.resultCount()];
        Arrays.setAll(results, position -> {
            TensorType type = instruction.resultType(position);
            return Array.contiguous(engine.allocate(type.dtype(), type.shape().elements()), type.shape());
        });
        double[] seconds = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            seconds[round] = round(kernel, run.op(), operands, results);
        }
        // The first third warms up the JIT.
        double[] warm = Arrays.copyOfRange(seconds, ROUNDS / 3, ROUNDS);
        Arrays.sort(warm);
        System.out.printf("%-40s %10.2f us%n", name, warm[warm.length / 2] * 1e6);
        Arrays.stream(operands).forEach(operand -> engine.release(operand.buffer()));
        Arrays.stream(results).forEach(result -> engine.release(result.buffer()));
    }

    private double round(Kernel kernel, Op op, Array[] operands, Array[] results) {
        long start = clock.getAsLong();
        int runs = 0;
        while (clock.getAsLong() - start < ROUND_SECONDS * 1e9) {
            kernel.run(op, operands, results);
            runs++;
        }
        return (clock.getAsLong() - start) / 1e9 / runs;
    }
}
