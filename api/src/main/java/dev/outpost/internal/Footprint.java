package dev.outpost.internal;

import dev.outpost.types.Layout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Which elements of a storage a view touches: from the first on, every so many elements a run of runs. */
public record Footprint(long first, List<Run> runs) {

    /**
     * Pieces that are a stride apart; the longest stride first.
     *
     * @param span from the first element of the first piece to one past the last of the last
     */
    public record Run(long count, long stride, long span) {}

    /** @param layout has elements, and no two of its indices meet in one of the storage's */
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

    /** From the shortest, without those of one index. */
    private static int[] dimsByStride(Layout layout) {
        return IntStream.range(0, layout.rank())
                .filter(dim -> layout.shape().size(dim) > 1)
                .boxed()
                .sorted(Comparator.comparingLong(layout::stride))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Whether no element is of both. Says no as well where that is not plain to see; parts of one tensor are. */
    public boolean isApartFrom(Footprint other) {
        return isApart(first, other, other.first, 0);
    }

    /** Of a piece of each, where these are, as many strides within. */
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
