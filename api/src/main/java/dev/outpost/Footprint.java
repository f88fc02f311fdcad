package dev.outpost;

import dev.outpost.protocol.types.Layout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which elements of a storage a view touches: from an element on, every so many elements a run of runs.
 *
 * @param end one past the last
 */
record Footprint(long first, List<Run> runs, long end) {

    /** So many pieces, so many elements from one to the next; the longest way first. */
    record Run(long count, long stride) {}

    /** @param layout has elements, and no two of its indices meet in one of the storage's */
    static Footprint of(Layout layout) {
        List<Run> runs = new ArrayList<>();
        for (int dim = 0; dim < layout.rank(); dim++) {
            if (layout.shape().size(dim) > 1) {
                runs.add(new Run(layout.shape().size(dim), layout.stride(dim)));
            }
        }
        runs.sort(Comparator.comparingLong(Run::stride).reversed());
        for (int at = runs.size() - 1; at > 0; at--) {
            Run inner = runs.get(at);
            Run outer = runs.get(at - 1);
            if (outer.stride == inner.stride * inner.count) {
                runs.set(at - 1, new Run(outer.count * inner.count, inner.stride));
                runs.remove(at);
            }
        }
        return of(layout.offset(), runs);
    }

    private static Footprint of(long first, List<Run> runs) {
        long last = first;
        for (Run run : runs) {
            last += (run.count - 1) * run.stride;
        }
        return new Footprint(first, runs, last + 1);
    }

    /** Whether no element is of both. Says no as well where that is not plain to see; parts of one tensor are. */
    boolean isApartFrom(Footprint other) {
        if (end <= other.first || other.end <= first) {
            return true;
        }
        if (runs.isEmpty() || other.runs.isEmpty()) {
            return false;
        }
        long stride = runs.getFirst().stride;
        Footprint piece = piece(stride);
        Footprint otherPiece = other.piece(stride);
        return stride == other.runs.getFirst().stride
                && piece.end <= stride
                && otherPiece.end <= stride
                && piece.isApartFrom(otherPiece);
    }

    /** One of the pieces that are a stride apart, in the first of them. */
    private Footprint piece(long stride) {
        return of(first % stride, runs.subList(1, runs.size()));
    }
}
