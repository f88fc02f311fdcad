package dev.outpost.runtime.session;

import dev.outpost.protocol.message.Fault;
import dev.outpost.types.IndexException;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/**
 * Faults of indices, by the storage of the index. An index that is out of range is one failure for all instructions of a run, and
 * for the scatter of a gradient whose gather was refused in an earlier one. Used by the worker alone.
 */
final class IndexFaults {
    /** @param run the run in which it was recorded; only who it is counts */
    private record Known(long index, long size, Object run, boolean isRead, Fault fault) {
        boolean isOf(IndexException problem, Object asking, boolean isReading) {
            return index == problem.index() && size == problem.size() && (run == asking || isRead && !isReading);
        }
    }

    private final Map<Storage, Known> latest = new WeakHashMap<>();

    /**
     * The fault that is known of this index, or a new one.
     *
     * @param run in which it is found
     * @param isRead whether the op reads where the index says, rather than writes
     */
    Fault of(Storage storage, IndexException problem, Object run, boolean isRead, Supplier<Fault> recorded) {
        Known known = latest.get(storage);
        if (known == null || !known.isOf(problem, run, isRead)) {
            known = new Known(problem.index(), problem.size(), run, isRead, recorded.get());
            latest.put(storage, known);
        }
        return known.fault;
    }
}
