package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.protocol.op.QuantizedMatmulInput;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import java.util.Arrays;
import java.util.Optional;

/**
 * Gradients of products with quantized weights. A task computes a range of inputs. It converts the weights of a few outputs at a time
 * to floats, which stay in the cache, and adds their product. So the order of a sum does not depend on the number of threads.
 */
public record QuantizedInputProducts(Elementwise elementwise, Optional<Blas> blas) {
    /** The number of inputs of a task; even, because two codes of 4 bits share a byte. */
    private static final int INPUTS = 256;

    private static final int OUTPUTS = 256;

    public void run(QuantizedMatmulInput op, Array[] in, Array result) {
        if (result.shape().isEmpty()) {
            return;
        }
        try (Scratch scratch = elementwise.scratch()) {
            Array gradients = elementwise.contiguous(in[0], DType.FLOAT32, scratch);
            Codes codes = Codes.of(op.bits(), op.group(), in, elementwise, scratch);
            Array target = result.dtype() == DType.FLOAT32 ? result : scratch.array(DType.FLOAT32, result.shape());
            multiply(gradients, codes, target);
            if (target != result) {
                elementwise.cast(target, result);
            }
        }
    }

    private void multiply(Array gradients, Codes codes, Array result) {
        int outputs = (int) gradients.shape().size(1);
        int inputs = codes.inputs();
        float[] target = Elementwise.buffer(result).floats();
        int start = (int) result.layout().offset();
        Arrays.fill(target, start, start + (int) result.shape().elements(), 0);
        elementwise.workers().run(Math.ceilDiv(inputs, INPUTS), 1, (from, to) -> {
            float[] weights = new float[OUTPUTS * INPUTS];
            for (int task = from; task < to; task++) {
                int first = task * INPUTS;
                int end = Math.min(inputs, first + INPUTS);
                for (int output = 0; output < outputs; output += OUTPUTS) {
                    int count = Math.min(OUTPUTS, outputs - output);
                    codes.write(output, count, first, end, weights);
                    add(gradients, output, count, weights, end - first, result, first);
                }
            }
        });
    }

    /** Adds the product of {@code [rows, count]} and {@code [count, width]}. */
    private void add(Array gradients, int output, int count, float[] weights, int width, Array result, int input) {
        int rows = (int) gradients.shape().size(0);
        int outputs = (int) gradients.shape().size(1);
        int inputs = (int) result.shape().size(1);
        float[] target = Elementwise.buffer(result).floats();
        int to = (int) result.layout().offset() + input;
        float[] g = Elementwise.buffer(gradients).floats();
        int at = (int) gradients.layout().offset() + output;
        if (blas.isPresent()) {
            Matrix left = new Matrix(g, at, false, outputs);
            Matrix right = new Matrix(weights, 0, false, width);
            blas.get().addFloats(rows, width, count, left, right, new Matrix(target, to, false, inputs));
            return;
        }
        for (int row = 0; row < rows; row++) {
            for (int term = 0; term < count; term++) {
                addScaled(g[at + row * outputs + term], weights, term * width, target, to + row * inputs, width);
            }
        }
    }

    private static void addScaled(float factor, float[] from, int at, float[] to, int start, int count) {
        for (int place = 0; place < count; place++) {
            to[start + place] += factor * from[at + place];
        }
    }
}
