package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.runtime.memory.Array;

/** Computes attention for each pair of a query and a token that it sees, in double. */
final class PagedAttentionLoops {
    private final PagedAttention op;
    private final Array query;
    private final Array keys;
    private final Array values;
    private final Array table;
    private final Array positions;

    private PagedAttentionLoops(PagedAttention op, Array[] in) {
        this.op = op;
        query = in[0];
        keys = in[1];
        values = in[2];
        table = in[3];
        positions = in[4];
    }

    static void run(PagedAttention op, Array[] in, Array output) {
        PagedAttentionLoops run = new PagedAttentionLoops(op, in);
        run.requirePages();
        run.requirePositions();
        ElementCursor outputs = ElementCursor.of(output);
        for (long batch = 0; batch < run.query.shape().size(0); batch++) {
            for (long head = 0; head < run.query.shape().size(1); head++) {
                for (long token = 0; token < run.query.shape().size(2); token++) {
                    run.answer(batch, head, token, outputs);
                }
            }
        }
    }

    private void requirePages() {
        ElementCursor entries = ElementCursor.of(table);
        for (long left = table.shape().elements(); left > 0; left--) {
            long page = entries.nextLong();
            if (page < 0 || page >= keys.shape().size(0)) {
                throw op.noPage(page, keys.shape().size(0));
            }
        }
    }

    private void requirePositions() {
        long tokens = table.shape().size(1) * keys.shape().size(1);
        ElementCursor places = ElementCursor.of(positions);
        for (long left = positions.shape().elements(); left > 0; left--) {
            long position = places.nextLong();
            if (position < 0 || position >= tokens) {
                throw op.noPosition(position, tokens);
            }
        }
    }

    private void answer(long batch, long head, long token, ElementCursor outputs) {
        long position = integer(positions, batch, token);
        long first = op.firstSeen(position);
        double[] weights = new double[(int) (position - first + 1)];
        double largest = Double.NEGATIVE_INFINITY;
        for (int seen = 0; seen < weights.length; seen++) {
            weights[seen] = score(batch, head, token, first + seen);
            largest = Math.max(largest, weights[seen]);
        }
        double sum = 0;
        for (int seen = 0; seen < weights.length; seen++) {
            weights[seen] = Math.exp(weights[seen] - largest);
            sum += weights[seen];
        }
        for (long feature = 0; feature < values.shape().size(3); feature++) {
            double answer = 0;
            for (int seen = 0; seen < weights.length; seen++) {
                answer += weights[seen] * of(values, batch, head, first + seen, feature);
            }
            outputs.put(answer / sum);
        }
    }

    private double score(long batch, long head, long token, long place) {
        double sum = 0;
        for (long feature = 0; feature < query.shape().size(3); feature++) {
            sum += real(query, batch, head, token, feature) * of(keys, batch, head, place, feature);
        }
        double score = op.scale() * sum;
        return op.isCapped() ? op.cap() * Math.tanh(score / op.cap()) : score;
    }

    /** Returns a feature of the token at a position of a sequence. */
    private double of(Array pool, long batch, long head, long place, long feature) {
        long pageSize = pool.shape().size(1);
        long page = integer(table, batch, place / pageSize);
        long group = head / (query.shape().size(1) / pool.shape().size(2));
        return real(pool, page, place % pageSize, group, feature);
    }

    private static double real(Array array, long... index) {
        return ElementCursor.heap(array).getDouble(position(array, index));
    }

    private static long integer(Array array, long... index) {
        return ElementCursor.heap(array).getLong(position(array, index));
    }

    private static int position(Array array, long... index) {
        long position = array.layout().offset();
        for (int dim = 0; dim < index.length; dim++) {
            position += index[dim] * array.layout().stride(dim);
        }
        return (int) position;
    }
}
