package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.functions.FoldFunctions.SegmentExtreme;
import dev.outpost.ops.ScatterReduce;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** Reductions of segments of a dimension. Each element is scattered to the index of its segment. */
public final class SegmentReduction {
    private static final String OP = "segment_reduce";

    private final Tensor data;
    private final Tensor lengths;
    private final int axis;
    private final Tensor numbers;

    /**
     * @param numbers the segment of each position; for a position in no segment, the number of segments
     */
    private SegmentReduction(Tensor data, Tensor lengths, int axis, Tensor numbers) {
        this.data = data;
        this.lengths = lengths;
        this.axis = axis;
        this.numbers = numbers;
    }

    public static SegmentReduction ofLengths(Tensor data, Tensor lengths, int axis) {
        requireFit(data, lengths, axis);
        Tensor whole = lengths.to(DType.INT64);
        return new SegmentReduction(data, whole, axis, endsBefore(data, whole.cumsum(-1), axis));
    }

    public static SegmentReduction ofOffsets(Tensor data, Tensor offsets, int axis) {
        requireFit(data, offsets, axis);
        Tensor whole = offsets.to(DType.INT64);
        long segments = whole.size(-1) - 1;
        if (segments < 0) {
            throw new OpException(OP, "there must be an offset behind the last segment, got " + offsets.shape());
        }
        Tensor starts = whole.narrow(-1, 0, segments);
        Tensor ends = whole.narrow(-1, 1, segments);
        Tensor positions = data.machine().arange(data.size(axis));
        Tensor isBefore = positions.lt(whole.narrow(-1, 0, 1));
        return new SegmentReduction(
                data, ends.sub(starts), axis, endsBefore(data, ends, axis).maskedFill(isBefore, segments));
    }

    private static void requireFit(Tensor data, Tensor segments, int axis) {
        boolean fits = axis >= 0 && axis < data.dim() && segments.dim() == axis + 1;
        for (int dim = 0; fits && dim < axis; dim++) {
            fits = segments.size(dim) == data.size(dim);
        }
        if (!fits || segments.dtype().isFloating()) {
            throw new OpException(
                    OP,
                    "whole numbers are needed for each place before the axis, got " + segments.type() + " for "
                            + data.shape() + " and axis " + axis);
        }
    }

    /** Returns for each position the number of segments that end at or before it. */
    private static Tensor endsBefore(Tensor data, Tensor ends, int axis) {
        Tensor positions = data.machine().arange(data.size(axis)).unsqueeze(-1);
        return ends.unsqueeze(-2).le(positions).to(DType.INT64).sum(-1);
    }

    public Tensor reduce(ScatterReduce reduction, @Nullable Number initial) {
        Number start = initial == null ? neutral(reduction) : initial;
        long segments = lengths.size(-1);
        long[] sizes = data.shape().toArray();
        sizes[axis] = segments + 1;
        ScatterReduce fold = reduction == ScatterReduce.MEAN ? ScatterReduce.SUM : reduction;
        Tensor positions = alongside(numbers).expand(data.shape());
        Tensor starts = data.newFull(start, sizes);
        Tensor folded = reduction == ScatterReduce.AMAX || reduction == ScatterReduce.AMIN
                ? SegmentExtreme.of(data, positions, axis, starts, reduction)
                : starts.scatterReduce(axis, positions, data, fold, true);
        Tensor ofSegments = folded.narrow(axis, 0, segments);
        return reduction == ScatterReduce.MEAN ? mean(ofSegments, initial) : ofSegments;
    }

    private Tensor mean(Tensor sums, @Nullable Number initial) {
        Tensor counts = alongside(lengths);
        Tensor isEmpty = counts.eq(0);
        Tensor means = sums.div(counts.clampMin(1).to(sums.dtype()));
        return initial == null ? means.maskedFill(isEmpty, Double.NaN) : means;
    }

    /** Adds dimensions of size 1 for the dimensions after the axis. */
    private Tensor alongside(Tensor tensor) {
        Tensor result = tensor;
        for (int dim = axis + 1; dim < data.dim(); dim++) {
            result = result.unsqueeze(-1);
        }
        return result;
    }

    private static Number neutral(ScatterReduce reduction) {
        return switch (reduction) {
            case SUM, MEAN -> 0;
            case PROD -> 1;
            case AMAX -> Double.NEGATIVE_INFINITY;
            case AMIN -> Double.POSITIVE_INFINITY;
        };
    }
}
