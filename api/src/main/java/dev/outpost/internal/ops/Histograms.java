package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.States;
import dev.outpost.ops.HistogramOps;
import dev.outpost.ops.HistogramOps.Histogram;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The implementation of {@link HistogramOps}: each element's bin is found by a search among the edges. */
public final class Histograms {
    private Histograms() {}

    public static Tensor counts(Tensor tensor, long bins, double min, double max) {
        Numerics.requireFloating("histc", tensor);
        requireBins("histc", bins);
        if (min > max) {
            throw new OpException("histc", "the bounds must ascend, got " + min + " and " + max);
        }
        Tensor flat = tensor.flatten();
        Tensor edges = min == max ? edges(flat, bins, 1) : edges(bound(flat, min), bound(flat, max), bins);
        return sums(bin(flat, edges), insideMask(flat, edges), null, tensor.dtype(), bins);
    }

    private static Tensor bound(Tensor like, double value) {
        return Creation.full(States.home(like), Shape.SCALAR, like.dtype(), value);
    }

    /** @param range the bounds of each column, or null for its smallest and largest element */
    public static Histogram of(String op, Tensor rows, Tensor weights, boolean density, double[] range, long... bins) {
        Numerics.requireFloating(op, rows);
        requireColumns(op, rows, bins.length);
        if (range != null && range.length != 2 * bins.length) {
            throw new OpException(
                    op, "two ends for each column are needed, got " + range.length + " numbers for " + rows.shape());
        }
        List<Tensor> edges = new ArrayList<>();
        for (int column = 0; column < bins.length; column++) {
            requireBins(op, bins[column]);
            Tensor values = rows.select(1, column);
            edges.add(
                    range == null
                            ? edges(values, bins[column], 0.5)
                            : edges(op, values, bins[column], range[2 * column], range[2 * column + 1]));
        }
        return between(op, rows, weights, density, edges);
    }

    private static Tensor edges(String op, Tensor values, long bins, double min, double max) {
        if (!(min <= max)) {
            throw new OpException(op, "the bounds must ascend, got " + min + " and " + max);
        }
        double room = min == max ? 0.5 : 0;
        return edges(bound(values, min - room), bound(values, max + room), bins);
    }

    private static void requireColumns(String op, Tensor rows, int count) {
        if (rows.size(1) != count) {
            throw new OpException(op, "bins for each column are needed, got " + count + " for " + rows.shape());
        }
    }

    /** Computes a histogram between given edges. Elements outside are not counted. */
    public static Histogram between(String op, Tensor rows, Tensor weights, boolean density, List<Tensor> edges) {
        Numerics.requireFloating(op, rows);
        requireColumns(op, rows, edges.size());
        Tensor box = Creation.full(States.home(rows), Shape.of(rows.size(0)), DType.INT64, 0);
        Tensor isCounted = rows.select(1, 0).onesLike(DType.BOOL);
        long[] bins = new long[edges.size()];
        for (int column = 0; column < bins.length; column++) {
            Tensor values = rows.select(1, column);
            bins[column] = edges.get(column).numel() - 1;
            requireBins(op, bins[column]);
            box = box.mul(bins[column]).add(bin(values, edges.get(column)));
            isCounted = isCounted.logicalAnd(insideMask(values, edges.get(column)));
        }
        long boxes = Arrays.stream(bins).reduce(1, Math::multiplyExact);
        Tensor sums = sums(box, isCounted, weights, rows.dtype(), boxes).view(bins);
        return new Histogram(density ? density(sums, edges) : sums, edges);
    }

    private static void requireBins(String op, long bins) {
        if (bins < 1) {
            throw new OpException(op, "at least one bin is needed, got " + bins);
        }
    }

    /** Returns edges from the smallest to the largest element; if these are equal, with {@code room} added on both sides. */
    private static Tensor edges(Tensor values, long bins, double room) {
        if (values.numel() == 0) {
            return edges(bound(values, 0), bound(values, 1), bins);
        }
        Tensor min = values.amin();
        Tensor max = values.amax();
        Tensor margin = min.eq(max).to(values.dtype()).mul(room);
        return edges(min.sub(margin), max.add(margin), bins);
    }

    private static Tensor edges(Tensor min, Tensor max, long bins) {
        Tensor steps = Creation.indices(States.home(min), bins + 1).to(min.dtype());
        Tensor width = max.sub(min).div(bins);
        Tensor fromMin = min.add(steps.mul(width));
        Tensor fromMax = max.sub(steps.sub(bins).neg().mul(width));
        return fromMin.where(steps.lt((bins + 1) / 2), fromMax);
    }

    /** Returns the bin of each value. The last bin includes its upper edge. */
    private static Tensor bin(Tensor values, Tensor edges) {
        long last = edges.numel() - 2;
        return edges.searchsorted(values, true).sub(1).clamp(0, last);
    }

    private static Tensor insideMask(Tensor values, Tensor edges) {
        return values.ge(edges.select(0, 0)).logicalAnd(values.le(edges.select(0, -1)));
    }

    private static Tensor sums(Tensor bins, Tensor isCounted, Tensor weights, DType dtype, long count) {
        Tensor ones = bins.onesLike(dtype);
        Tensor shares = weights == null ? ones : weights.flatten().to(dtype);
        Tensor counted = isCounted == null ? shares : shares.mul(isCounted.to(dtype));
        return Creation.full(States.home(bins), Shape.of(count), dtype, 0).scatterAdd(0, bins, counted);
    }

    private static Tensor density(Tensor sums, List<Tensor> edges) {
        Tensor density = sums.div(sums.sum());
        for (int dim = 0; dim < edges.size(); dim++) {
            Tensor widths = edges.get(dim).diff();
            density = density.div(widths.view(Differences.spread(widths.numel(), dim, sums.dim())));
        }
        return density;
    }
}
