package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import java.util.Optional;

/**
 * Products with quantized weights. With one row, weights are converted to floats in registers. With more rows, a task converts the
 * weights of some outputs to floats, which stay in the cache, and multiplies them. Either way, weights are read from memory in their
 * stored form.
 */
public record QuantizedProducts(Elementwise elementwise, Optional<Blas> blas) {
    /** The number of floats of a task: half a second-level cache. */
    private static final int BLOCK = 64 << 10;

    private static final int MAX_OUTPUTS = 64;
    /** The number of outputs of a task with one row. */
    private static final int OUTPUTS = 32;

    public void run(QuantizedMatmul op, Array[] in, Array result) {
        if (result.shape().isEmpty()) {
            return;
        }
        try (Scratch scratch = elementwise.scratch()) {
            Array rows = elementwise.contiguous(in[0], DType.FLOAT32, scratch);
            Codes codes = Codes.of(op.bits(), op.group(), in, elementwise, scratch);
            Array target = result.dtype() == DType.FLOAT32 ? result : scratch.array(DType.FLOAT32, result.shape());
            boolean isOneRow = rows.shape().size(0) == 1
                    && codes.inputs() > 0
                    && Vectors.PRESENT
                    && VectorQuantizedRows.suits(op.group());
            if (isOneRow) {
                multiplyRow(rows, codes, target);
            } else {
                multiply(rows, codes, target);
            }
            if (target != result) {
                elementwise.cast(target, result);
            }
        }
    }

    private void multiplyRow(Array row, Codes codes, Array result) {
        int outputs = (int) result.shape().size(1);
        float[] target = Elementwise.buffer(result).floats();
        int to = (int) result.layout().offset();
        QuantizedRow inputs = QuantizedRow.of(codes, row);
        elementwise.workers().run(Math.ceilDiv(outputs, OUTPUTS), 1, (from, end) -> {
            int last = Math.min(outputs, end * OUTPUTS);
            for (int output = from * OUTPUTS; output < last; output++) {
                target[to + output] = VectorQuantizedRows.multiply(codes, output, inputs);
            }
        });
    }

    private void multiply(Array rows, Codes codes, Array result) {
        int outputs = (int) result.shape().size(1);
        int block = Math.clamp(BLOCK / Math.max(1, codes.inputs()), 1, MAX_OUTPUTS);
        elementwise.workers().run(Math.ceilDiv(outputs, block), 1, (from, to) -> {
            float[] weights = new float[block * codes.inputs()];
            for (int task = from; task < to; task++) {
                int first = task * block;
                int count = Math.min(block, outputs - first);
                codes.write(first, count, weights);
                multiply(rows, weights, count, first, result);
            }
        });
    }

    private void multiply(Array rows, float[] weights, int count, int first, Array result) {
        int inputs = (int) rows.shape().size(1);
        int m = (int) rows.shape().size(0);
        int outputs = (int) result.shape().size(1);
        float[] target = Elementwise.buffer(result).floats();
        int to = (int) result.layout().offset() + first;
        float[] x = Elementwise.buffer(rows).floats();
        int at = (int) rows.layout().offset();
        if (blas.isPresent() && inputs > 0) {
            Matrix left = new Matrix(x, at, false, inputs);
            Matrix right = new Matrix(weights, 0, true, inputs);
            blas.get().multiplyFloats(m, count, inputs, 1, left, right, new Matrix(target, to, false, outputs));
            return;
        }
        for (int row = 0; row < m; row++) {
            for (int output = 0; output < count; output++) {
                target[to + row * outputs + output] = dot(x, at + row * inputs, weights, output * inputs, inputs);
            }
        }
    }

    private static float dot(float[] left, int from, float[] right, int at, int count) {
        float sum = 0;
        for (int index = 0; index < count; index++) {
            sum += left[from + index] * right[at + index];
        }
        return sum;
    }
}
