package dev.outpost.runtime.engine.cpu.attention;

import dev.outpost.runtime.engine.cpu.attention.BlockScores.Block;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.product.Matrix;
import dev.outpost.runtime.engine.cpu.product.ScoreRows;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;

/**
 * The gradients of attention. A task processes some blocks of the queries that share a group of keys and values.
 *
 * @param less the number that is subtracted from the slopes of each query
 */
record AttentionBackward(
        BlockScores scores,
        Array value,
        Array gradient,
        Array logarithms,
        Array less,
        Array toQuery,
        AttentionSums sums) {

    /** The working matrices of one thread. */
    private record Room(ScoreRows weights, ScoreRows slopes) {}

    void run(Elementwise elementwise) {
        int parts = sums.parts();
        int tasks = scores.batches() * scores.groups() * parts;
        elementwise.workers().run(tasks, scores.grain(), (from, to) -> {
            try (Scratch scratch = elementwise.scratch()) {
                Room room = new Room(scores.room(scratch), scores.room(scratch));
                for (int task = from; task < to; task++) {
                    run(task / parts / scores.groups(), task / parts % scores.groups(), task % parts, room);
                }
            }
        });
    }

    private void run(int batch, int group, int part, Room room) {
        int blocks = scores.headsOfGroup() * scores.blocks();
        int first = (int) ((long) part * blocks / sums.parts());
        boolean isWritten = false;
        // The last queries see the most keys. The loop starts with them, so the sums need not be cleared first.
        for (int number = (int) ((part + 1L) * blocks / sums.parts()) - 1; number >= first; number--) {
            int head = group * scores.headsOfGroup() + number / scores.blocks();
            Block block = scores.block(batch, head, number % scores.blocks());
            weigh(block, room);
            if (!isWritten && block.columns() < scores.keys()) {
                sums.clear(part, batch, group);
                isWritten = true;
            }
            add(block, sums.keys(part, batch, group), sums.values(part, batch, group), isWritten, room);
            isWritten = true;
        }
        if (!isWritten) {
            sums.clear(part, batch, group);
        }
    }

    /** Stores the block's weights, and the slopes of its scores before scaling. */
    private void weigh(Block block, Room room) {
        int columns = block.columns();
        scores.compute(block, room.weights);
        HeapBuffer logarithm = Elementwise.buffer(logarithms);
        for (int row = 0; row < block.rows(); row++) {
            room.weights.exponentials(
                    row * columns, columns, logarithm.getDouble(BlockScores.position(logarithms, block, row)));
        }
        scores.hide(block, room.weights, 0);
        scores.multiplier()
                .multiply(
                        block.rows(),
                        columns,
                        (int) value.shape().size(3),
                        BlockScores.ofQueries(gradient, block),
                        scores.ofGroup(value, block).exchanged(),
                        new Matrix(room.slopes.elements(), 0, false, columns));
        HeapBuffer subtrahend = Elementwise.buffer(less);
        for (int row = 0; row < block.rows(); row++) {
            room.slopes.slopes(
                    row * columns,
                    columns,
                    room.weights,
                    subtrahend.getDouble(BlockScores.position(less, block, row)),
                    scores.scale());
        }
        // For a query that sees no key the subtracted number is NaN.
        scores.hide(block, room.slopes, 0);
    }

    /** @param isWritten true if the sums already contain numbers to add to */
    private void add(Block block, Matrix keys, Matrix values, boolean isWritten, Room room) {
        int columns = block.columns();
        int features = scores.features();
        Matrix slopes = new Matrix(room.slopes.elements(), 0, false, columns);
        Matrix weights = new Matrix(room.weights.elements(), 0, false, columns);
        add(
                columns,
                features,
                block.rows(),
                slopes.exchanged(),
                BlockScores.ofQueries(scores.query(), block),
                keys,
                isWritten);
        add(
                columns,
                (int) value.shape().size(3),
                block.rows(),
                weights.exchanged(),
                BlockScores.ofQueries(gradient, block),
                values,
                isWritten);
        Matrix keysOfBlock = scores.ofGroup(scores.key(), block);
        Matrix target = BlockScores.ofQueries(toQuery, block);
        scores.multiplier().multiply(block.rows(), features, columns, slopes, keysOfBlock, target);
    }

    private void add(int m, int n, int k, Matrix a, Matrix b, Matrix sum, boolean isWritten) {
        if (isWritten) {
            scores.multiplier().add(m, n, k, a, b, sum);
        } else {
            scores.multiplier().multiply(m, n, k, a, b, sum);
        }
    }
}
