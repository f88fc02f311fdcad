package dev.outpost.runtime.engine.cpu.attention;

import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.product.Blas;
import dev.outpost.runtime.engine.cpu.product.Matrix;
import dev.outpost.runtime.engine.cpu.product.Multiplier;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import java.util.Optional;

/** Attention and its gradient by products of blocks of queries. 16-bit floats are computed in float32. */
public record AttentionPrimitives(Elementwise elementwise, Optional<Blas> blas) {
    public void run(Attention op, Array[] in, Array output, Array logarithms) {
        if (output.shape().isEmpty()) {
            return;
        }
        try (Scratch scratch = elementwise.scratch()) {
            BlockScores scores = scores(op.causal(), op.scale(), in, in.length > 3 ? in[3] : null, scratch);
            Array target = target(output, scratch);
            new AttentionForward(scores, matrices(in[2], scratch), target, logarithms).run(elementwise);
            finish(target, output);
        }
    }

    public void gradient(AttentionGradient op, Array[] in, Array[] out) {
        try (Scratch scratch = elementwise.scratch()) {
            Array toQuery = target(out[0], scratch);
            Array toKey = target(out[1], scratch);
            Array toValue = target(out[2], scratch);
            AttentionSums sums = AttentionSums.of(in[0].shape(), toKey, toValue, elementwise, scratch);
            if (in[0].shape().isEmpty()) {
                sums.clear();
            } else {
                BlockScores scores = scores(op.causal(), op.scale(), in, in.length > 6 ? in[6] : null, scratch);
                Array value = matrices(in[2], scratch);
                Array gradient = matrices(in[3], scratch);
                new AttentionBackward(scores, value, gradient, in[4], in[5], toQuery, sums).run(elementwise);
                sums.join();
            }
            finish(toQuery, out[0]);
            finish(toKey, out[1]);
            finish(toValue, out[2]);
        }
    }

    private BlockScores scores(boolean causal, double scale, Array[] in, Array mask, Scratch scratch) {
        Multiplier multiplier = new Multiplier(Attention.accumulator(in[0].dtype()), blas, elementwise);
        Array repeated = mask == null
                ? null
                : new Array(mask.buffer(), mask.layout().expand(Attention.scores(in[0].shape(), in[1].shape())));
        return new BlockScores(matrices(in[0], scratch), matrices(in[1], scratch), repeated, causal, scale, multiplier);
    }

    /** Returns the array in the accumulator's dtype, with a layout that a BLAS accepts. */
    private Array matrices(Array array, Scratch scratch) {
        DType dtype = Attention.accumulator(array.dtype());
        boolean fits = array.dtype() == dtype && Matrix.fits(array.layout().select(0, 0));
        return fits ? array : elementwise.contiguous(array, dtype, scratch);
    }

    private static Array target(Array result, Scratch scratch) {
        DType dtype = Attention.accumulator(result.dtype());
        return dtype == result.dtype() ? result : scratch.array(dtype, result.shape());
    }

    private void finish(Array target, Array result) {
        if (target != result) {
            elementwise.cast(target, result);
        }
    }
}
