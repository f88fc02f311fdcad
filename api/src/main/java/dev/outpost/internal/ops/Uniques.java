package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.ops.UniqueResult;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.List;

/** Finds distinct elements: sorting brings equal elements together, and one of each run is kept. */
public final class Uniques {
    private final boolean inverse;
    private final boolean counts;

    private Uniques(boolean inverse, boolean counts) {
        this.inverse = inverse;
        this.counts = counts;
    }

    public static UniqueResult ofElements(Tensor tensor, boolean inverse, boolean counts) {
        ValuesAndIndices sorted = tensor.flatten().sort(0, false);
        Tensor changes = changes(sorted.values());
        return new Uniques(inverse, counts).of(sorted.values(), changes, sorted.indices(), tensor.shape());
    }

    public static UniqueResult ofRuns(Tensor tensor, boolean inverse, boolean counts) {
        Tensor flat = tensor.flatten();
        return new Uniques(inverse, counts).of(flat, changes(flat), null, tensor.shape());
    }

    public static UniqueResult ofRuns(Tensor tensor, boolean inverse, boolean counts, int dim) {
        Tensor slices = tensor.movedim(Shapes.dim("unique_consecutive", tensor.shape(), dim), 0);
        Shape shape = Shape.of(slices.size(0));
        UniqueResult found = new Uniques(inverse, counts).of(slices, rowChanges(rows(slices)), null, shape);
        return new UniqueResult(found.values().movedim(0, dim), found.inverse(), found.counts());
    }

    public static UniqueResult ofSlices(Tensor tensor, boolean inverse, boolean counts, int dim) {
        Tensor slices = tensor.movedim(Shapes.dim("unique", tensor.shape(), dim), 0);
        Tensor rows = rows(slices);
        Tensor order = lexicographicOrder(rows);
        Tensor changes = rowChanges(rows.indexSelect(0, order));
        Shape shape = Shape.of(slices.size(0));
        UniqueResult found = new Uniques(inverse, counts).of(slices.indexSelect(0, order), changes, order, shape);
        return new UniqueResult(found.values().movedim(0, dim), found.inverse(), found.counts());
    }

    private static Tensor rows(Tensor slices) {
        long count = slices.size(0);
        return slices.reshape(count, count == 0 ? 0 : slices.numel() / count);
    }

    /**
     * Returns the lexicographic order of rows. Sorts by the last column first; a stable sort keeps the order of the columns sorted
     * before.
     */
    private static Tensor lexicographicOrder(Tensor rows) {
        Tensor order = Creation.indices(States.home(rows), rows.size(0));
        for (long column = rows.size(1) - 1; column >= 0; column--) {
            Tensor keys = rows.select(1, column).indexSelect(0, order);
            order = order.indexSelect(0, keys.argsort(0, false));
        }
        return order;
    }

    /** Returns for each element of the last dimension true if it is the first or differs from its predecessor. */
    public static Tensor changes(Tensor lines) {
        long size = lines.size(-1);
        if (size == 0) {
            return lines.ne(lines);
        }
        Tensor differ = lines.narrow(-1, 1, size - 1).ne(lines.narrow(-1, 0, size - 1));
        Shape first = Shapes.replaced(lines.shape(), lines.dim() - 1, lines.dim(), 1);
        return Tensors.cat(List.of(Creation.full(States.home(lines), first, DType.BOOL, 1), differ), -1);
    }

    private static Tensor rowChanges(Tensor rows) {
        Tensor changes = changes(rows.t());
        return rows.size(1) == 0
                ? Creation.indices(States.home(rows), rows.size(0)).eq(0)
                : Dispatch.apply(new Reduce(Reduce.Fn.MAX, Axes.of(0), false), changes);
    }

    /**
     * @param sorted elements or slices, with equal ones next to each other
     * @param changes true at the start of each run of equal elements
     * @param origins the index of each before sorting, or null if they were not sorted
     * @param shape the shape of the inverse
     */
    private UniqueResult of(Tensor sorted, Tensor changes, Tensor origins, Shape shape) {
        Tensor starts = Indexing.positions(changes);
        return new UniqueResult(
                sorted.indexSelect(0, starts),
                inverse ? inverse(changes, origins).view(shape) : null,
                counts ? counts(starts, sorted.size(0)) : null);
    }

    private static Tensor inverse(Tensor changes, Tensor origins) {
        Tensor ranks = changes.to(DType.INT64).cumsum(0).sub(1);
        return origins == null ? ranks : ranks.scatter(0, origins, ranks);
    }

    private static Tensor counts(Tensor starts, long size) {
        Tensor end = Creation.full(States.home(starts), Shape.of(1), DType.INT64, size);
        Tensor bounds = Tensors.cat(List.of(starts, end), 0);
        long runs = starts.size(0);
        return bounds.narrow(0, 1, runs).sub(bounds.narrow(0, 0, runs));
    }
}
