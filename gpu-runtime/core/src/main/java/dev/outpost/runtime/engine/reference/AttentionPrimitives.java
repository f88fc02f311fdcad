package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import java.util.Arrays;

/** Computes attention and its gradients for each pair of a query and a key, in double. */
final class AttentionPrimitives {
    private final boolean causal;
    private final double scale;
    private final Array query;
    private final Array key;
    private final Array value;
    /** The mask; null if there is none. */
    private final Array mask;

    private AttentionPrimitives(boolean causal, double scale, Array mask, Array... operands) {
        this.causal = causal;
        this.scale = scale;
        query = operands[0];
        key = operands[1];
        value = operands[2];
        this.mask = mask == null
                ? null
                : new Array(mask.buffer(), mask.layout().expand(Attention.scores(query.shape(), key.shape())));
    }

    /** The work on a query. */
    @FunctionalInterface
    private interface Visit {
        void at(long batch, long head, long row);
    }

    private void eachQuery(Visit visit) {
        if (query.shape().isEmpty()) {
            return;
        }
        for (long batch = 0; batch < query.shape().size(0); batch++) {
            for (long head = 0; head < query.shape().size(1); head++) {
                for (long row = 0; row < query.shape().size(2); row++) {
                    visit.at(batch, head, row);
                }
            }
        }
    }

    private long group(long head) {
        return head / Attention.headsOfGroup(query.shape(), key.shape());
    }

    private int keys() {
        return (int) key.shape().size(2);
    }

    private boolean isHidden(long batch, long head, long row, long to) {
        return causal && to > row || mask != null && mask.dtype() == DType.BOOL && at(mask, batch, head, row, to) == 0;
    }

    private double score(long batch, long head, long row, long to) {
        if (isHidden(batch, head, row, to)) {
            return Double.NEGATIVE_INFINITY;
        }
        double score = scale * dot(query, batch, head, row, key, group(head), to);
        return mask == null || mask.dtype() == DType.BOOL ? score : score + at(mask, batch, head, row, to);
    }

    private static double dot(Array left, long batch, long head, long row, Array right, long group, long to) {
        double sum = 0;
        for (long feature = 0; feature < left.shape().size(3); feature++) {
            sum += at(left, batch, head, row, feature) * at(right, batch, group, to, feature);
        }
        return sum;
    }

    private static double at(Array array, long... index) {
        return ElementCursor.heap(array).getDouble(position(array.layout(), index));
    }

    private static int position(Layout layout, long... index) {
        long position = layout.offset();
        for (int dim = 0; dim < index.length; dim++) {
            position += index[dim] * layout.stride(dim);
        }
        return (int) position;
    }

    static void run(Attention op, Array[] in, Array output, Array logarithms) {
        AttentionPrimitives run = new AttentionPrimitives(op.causal(), op.scale(), in.length > 3 ? in[3] : null, in);
        ElementCursor outputs = ElementCursor.of(output);
        ElementCursor rows = ElementCursor.of(logarithms);
        run.eachQuery((batch, head, row) -> {
            double[] weights = new double[run.keys()];
            Arrays.setAll(weights, to -> run.score(batch, head, row, to));
            double largest = Arrays.stream(weights).max().orElse(Double.NEGATIVE_INFINITY);
            Arrays.setAll(weights, to -> Math.exp(weights[to] - largest));
            double sum = Arrays.stream(weights).sum();
            boolean seesNothing = largest == Double.NEGATIVE_INFINITY;
            rows.put(seesNothing ? largest : largest + Math.log(sum));
            for (long feature = 0; feature < output.shape().size(3); feature++) {
                double answer = 0;
                for (int to = 0; to < weights.length; to++) {
                    answer += weights[to] * at(run.value, batch, run.group(head), to, feature);
                }
                outputs.put(seesNothing ? Double.NaN : answer / sum);
            }
        });
    }

    static void gradient(AttentionGradient op, Array[] in, Array[] out) {
        AttentionPrimitives run = new AttentionPrimitives(op.causal(), op.scale(), in.length > 6 ? in[6] : null, in);
        double[][] sums = Arrays.stream(out)
                .map(result -> new double[(int) result.shape().elements()])
                .toArray(double[][]::new);
        run.eachQuery((batch, head, row) -> {
            for (int to = 0; to < run.keys(); to++) {
                if (!run.isHidden(batch, head, row, to)) {
                    run.meet(batch, head, row, to, in, sums);
                }
            }
        });
        for (int result = 0; result < out.length; result++) {
            Arrays.stream(sums[result]).forEach(ElementCursor.of(out[result])::put);
        }
    }

    /** Adds the part of one weight to the gradients of its query, its key and its value. */
    private void meet(long batch, long head, long row, long to, Array[] in, double[][] sums) {
        Array gradient = in[3];
        long group = group(head);
        double weight = Math.exp(score(batch, head, row, to) - at(in[4], batch, head, row));
        double slope = weight * (dot(gradient, batch, head, row, value, group, to) - at(in[5], batch, head, row));
        int toQuery = first(query, batch, head, row);
        int toKey = first(key, batch, group, to);
        int toValue = first(value, batch, group, to);
        for (int feature = 0; feature < query.shape().size(3); feature++) {
            sums[0][toQuery + feature] += scale * slope * at(key, batch, group, to, feature);
            sums[1][toKey + feature] += scale * slope * at(query, batch, head, row, feature);
        }
        for (int feature = 0; feature < value.shape().size(3); feature++) {
            sums[2][toValue + feature] += weight * at(gradient, batch, head, row, feature);
        }
    }

    /** Returns the row-major index of a row's first gradient. */
    private static int first(Array array, long batch, long head, long row) {
        return position(Layout.contiguous(array.shape()), batch, head, row);
    }
}
