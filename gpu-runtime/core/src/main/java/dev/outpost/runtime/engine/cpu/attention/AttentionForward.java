package dev.outpost.runtime.engine.cpu.attention;

import dev.outpost.runtime.engine.cpu.attention.BlockScores.Block;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.product.Matrix;
import dev.outpost.runtime.engine.cpu.product.ScoreRows;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;

/** Computes attention. Each task computes a block of queries. */
record AttentionForward(BlockScores scores, Array value, Array output, Array logarithms) {

    void run(Elementwise elementwise) {
        int blocks = scores.blocks();
        int tasks = scores.batches() * scores.heads() * blocks;
        elementwise.workers().run(tasks, scores.grain(), (from, to) -> {
            try (Scratch scratch = elementwise.scratch()) {
                ScoreRows weights = scores.room(scratch);
                for (int task = from; task < to; task++) {
                    int head = task / blocks;
                    run(scores.block(head / scores.heads(), head % scores.heads(), task % blocks), weights);
                }
            }
        });
    }

    private void run(Block block, ScoreRows weights) {
        scores.compute(block, weights);
        scores.hide(block, weights, Double.NEGATIVE_INFINITY);
        double[] sums = exponentials(block, weights);
        int features = (int) value.shape().size(3);
        Matrix target = BlockScores.ofQueries(output, block);
        int columns = block.columns();
        scores.multiplier()
                .multiply(
                        block.rows(),
                        features,
                        columns,
                        new Matrix(weights.elements(), 0, false, columns),
                        scores.ofGroup(value, block),
                        target);
        ScoreRows answers = ScoreRows.of(target.elements());
        for (int row = 0; row < block.rows(); row++) {
            answers.divide(target.from(row, 0).offset(), features, sums[row]);
        }
    }

    /** Computes weights that the caller must divide by their sums. Returns these sums and stores their logarithms. */
    private double[] exponentials(Block block, ScoreRows weights) {
        int columns = block.columns();
        double[] largest = weights.largest(columns, block.rows());
        for (int row = 0; row < block.rows(); row++) {
            weights.exponentialsBelow(row * columns, columns, largest[row]);
        }
        double[] sums = weights.sums(columns, block.rows());
        HeapBuffer target = Elementwise.buffer(logarithms);
        for (int row = 0; row < block.rows(); row++) {
            boolean seesNothing = largest[row] == Double.NEGATIVE_INFINITY;
            target.setDouble(
                    BlockScores.position(logarithms, block, row),
                    seesNothing ? largest[row] : largest[row] + Math.log(sums[row]));
        }
        return sums;
    }
}
