package dev.outpost.runtime.session.memory;

import dev.outpost.protocol.message.Fault;
import dev.outpost.types.IndexException;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Faults of indices, by the storage of the index. An index that is out of range is one failure for all instructions of a run, and
 * for the scatter of a gradient whose gather was refused in an earlier one. The failure names the instruction that was recorded
 * first, in whatever order a plan runs them. Used by the worker alone.
 */
public final class IndexFaults {
    /**
     * @param run the run in which it was recorded; only who it is counts
     * @param place of the instruction in its graph
     */
    private record Known(long index, long size, Object run, boolean isRead, int place, Fault fault) {
        boolean isOf(IndexException problem, Object asking, boolean isReading) {
            return index == problem.index() && size == problem.size() && (run == asking || isRead && !isReading);
        }

        boolean isLaterThan(Object asking, int otherPlace) {
            return run == asking && place > otherPlace;
        }
    }

    private final Map<RefCountedStorage, Known> latest = new WeakHashMap<>();

    /**
     * The fault that is known of this index, or a new one.
     *
     * @param run in which it is found
     * @param isRead whether the op reads where the index says, rather than writes
     * @param place of the instruction in the run's graph: greater than that of those recorded before it
     * @param superseded what to do with a fault of the run that a new one takes the place of, as that of an earlier instruction
     */
    public Fault of(
            RefCountedStorage storage,
            IndexException problem,
            Object run,
            boolean isRead,
            int place,
            Supplier<Fault> recorded,
            BiConsumer<Fault, Fault> superseded) {
        Known known = latest.get(storage);
        boolean isKnown = known != null && known.isOf(problem, run, isRead);
        if (isKnown && !known.isLaterThan(run, place)) {
            return known.fault;
        }
        Fault fault = recorded.get();
        if (isKnown) {
            superseded.accept(known.fault, fault);
        }
        latest.put(storage, new Known(problem.index(), problem.size(), run, isRead, place, fault));
        return fault;
    }
}
