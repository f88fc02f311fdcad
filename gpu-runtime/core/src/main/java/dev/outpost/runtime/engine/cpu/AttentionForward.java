package dev.outpost.runtime.engine.cpu;

import dev.outpost.runtime.engine.cpu.AttentionScores.Block;
import dev.outpost.runtime.memory.Array;

/** Attention, a block of queries a task. */
record AttentionForward(AttentionScores scores, Array value, Array output, Array logarithms) {

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
        Matrix target = AttentionScores.ofQueries(output, block);
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

    /** Leaves weights that are still to be divided by the sums that it answers, and the logarithms of these. */
    private double[] exponentials(Block block, ScoreRows weights) {
        int columns = block.columns();
        double[] sums = new double[block.rows()];
        for (int row = 0; row < block.rows(); row++) {
            double largest = weights.largest(row * columns, columns);
            sums[row] = weights.exponentials(row * columns, columns, largest);
            boolean seesNothing = largest == Double.NEGATIVE_INFINITY;
            Elementwise.buffer(logarithms)
                    .setDouble(
                            AttentionScores.position(logarithms, block, row),
                            seesNothing ? largest : largest + Math.log(sums[row]));
        }
        return sums;
    }
}
