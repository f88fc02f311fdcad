package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.protocol.op.QuantizedMatmulInput;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.function.Consumer;

/**
 * Products with quantized weights. With few rows, a warp reads the stored weights of an output and multiplies
 * them with all rows. With many rows, the weights are first converted to floats in scratch memory, and then
 * multiplied like any other matrices, by tensor cores if the GPU has them.
 */
public record QuantizedProducts(CudaLauncher launcher, Maps maps, Products products) {
    /** The number of rows from which weights are converted first, because otherwise they would be read too often. */
    private static final int MANY = 17;

    private static final int MAX_ROWS = 8;
    private static final int WARP = 32;
    /** The number of inputs that a thread takes at once, if a group has enough inputs. */
    private static final int SPAN = 8;

    public void run(QuantizedMatmul op, Array[] in, Array output) {
        if (output.shape().isEmpty()) {
            return;
        }
        dense(in, dense -> {
            if (output.shape().size(0) < MANY) {
                byWarps(op, dense, output);
            } else {
                byFloats(op.bits(), op.group(), dense, true, output);
            }
        });
    }

    public void run(QuantizedMatmulInput op, Array[] in, Array output) {
        if (output.shape().isEmpty()) {
            return;
        }
        dense(in, dense -> byFloats(op.bits(), op.group(), dense, false, output));
    }

    private void dense(Array[] in, Consumer<Array[]> run) {
        Array[] dense = new Array[in.length];
        try {
            for (int operand = 0; operand < in.length; operand++) {
                dense[operand] = maps.dense(in[operand]);
            }
            run.accept(dense);
        } finally {
            for (int operand = 0; operand < in.length; operand++) {
                if (dense[operand] != null && dense[operand].buffer() != in[operand].buffer()) {
                    launcher.release(dense[operand]);
                }
            }
        }
    }

    private void byWarps(QuantizedMatmul op, Array[] in, Array output) {
        long rows = output.shape().size(0);
        int together = (int) Math.min(MAX_ROWS, Long.highestOneBit(2 * rows - 1));
        long outputs = output.shape().size(1);
        long across = Math.ceilDiv(outputs, (long) CudaLauncher.THREADS / WARP);
        KernelArguments arguments =
                arguments(in, output).add(rows, outputs, in[0].shape().size(1), op.group(), across);
        launcher.runBlocks(
                template(op.bits(), op.group(), in, output.dtype())
                        .define("ROWS", together)
                        .source(),
                "quantized_matmul",
                across * Math.ceilDiv(rows, (long) together),
                CudaLauncher.THREADS,
                arguments);
    }

    private static KernelArguments arguments(Array[] in, Array output) {
        return new KernelArguments()
                .add(CudaLauncher.address(output), CudaLauncher.address(in[0]))
                .add(CudaLauncher.address(in[1]), CudaLauncher.address(in[2]), CudaLauncher.address(in[3]));
    }

    /** @param turned true if rows are multiplied by the outputs of the weights, false for the inputs */
    private void byFloats(int bits, int group, Array[] in, boolean turned, Array output) {
        Shape shape = Shape.of(in[1].shape().size(0), in[2].shape().size(1) * group);
        Array weights = launcher.scratch(output.dtype(), shape);
        try {
            KernelArguments arguments =
                    arguments(in, weights).add(in[0].shape().size(0), shape.size(0), shape.size(1), group, 0);
            Template template = template(bits, group, in, output.dtype()).define("ROWS", 1);
            launcher.run(template.source(), "dequantize", shape.elements(), arguments);
            Layout layout = weights.layout();
            Layout right = turned ? layout.transpose(0, 1) : layout;
            products.matmul(in[0], new Array(weights.buffer(), right), output);
        } finally {
            launcher.release(weights);
        }
    }

    private static Template template(int bits, int group, Array[] in, DType dtype) {
        CudaType type = CudaType.of(dtype);
        CudaType scale = CudaType.of(in[2].dtype());
        boolean inSpans = group % SPAN == 0 && CudaLauncher.address(in[1]) % Integer.BYTES == 0;
        return Template.of(Part.QUANTIZED_MATMUL, true)
                .arithmetic(type.sum())
                .define("STORED", type.stored())
                .sums(type)
                .define("SCALE", scale.stored())
                .define("SCALE_TAKE(x)", scale.load() + "(x)")
                .define("BITS", bits)
                .define("SPAN", inSpans ? SPAN : 1);
    }
}
