package dev.outpost.internal;

import dev.outpost.types.Layout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The set of storage elements that a view covers: it begins at the first element and repeats in nested runs, each with a constant
 * stride.
 */
public record Footprint(long first, List<Run> runs) {

    /**
     * Equal pieces at a constant stride. The run with the longest stride comes first.
     *
     * @param span the distance from the first element of the first piece to one past the last element of the last piece
     */
    public record Run(long count, long stride, long span) {}

    /** @param layout has at least one element, and no two of its indices share a storage element */
    public static Footprint of(Layout layout) {
        List<Run> runs = new ArrayList<>();
        long span = 1;
        for (int dim : dimsByStride(layout)) {
            long count = layout.shape().size(dim);
            long stride = layout.stride(dim);
            Run inner = runs.isEmpty() ? null : runs.getFirst();
            span += (count - 1) * stride;
            if (inner != null && stride == inner.stride * inner.count) {
                runs.set(0, new Run(count * inner.count, inner.stride, span));
            } else {
                runs.addFirst(new Run(count, stride, span));
            }
        }
        return new Footprint(layout.offset(), runs);
    }

    /** Returns the dimensions by ascending stride, without those of size 1. */
    private static int[] dimsByStride(Layout layout) {
        return IntStream.range(0, layout.rank())
                .filter(dim -> layout.shape().size(dim) > 1)
                .boxed()
                .sorted(Comparator.comparingLong(layout::stride))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * True if the footprints are found to share no element. May return false for footprints that share no element,
     * but recognizes disjoint parts of one tensor.
     */
    public boolean isApartFrom(Footprint other) {
        return isApart(first, other, other.first, 0);
    }

    /** Compares one piece of each footprint at a nesting depth, given the positions of the pieces. */
    private boolean isApart(long at, Footprint other, long otherAt, int depth) {
        if (at + span(depth) <= otherAt || otherAt + other.span(depth) <= at) {
            return true;
        }
        if (depth == runs.size() || depth == other.runs.size()) {
            return false;
        }
        long stride = runs.get(depth).stride;
        long within = at % stride;
        long otherWithin = otherAt % stride;
        return stride == other.runs.get(depth).stride
                && within + span(depth + 1) <= stride
                && otherWithin + other.span(depth + 1) <= stride
                && isApart(within, other, otherWithin, depth + 1);
    }

    private long span(int depth) {
        return depth == runs.size() ? 1 : runs.get(depth).span;
    }
}
