package dev.outpost.runtime.session.memory;

import dev.outpost.protocol.message.Fault;
import dev.outpost.types.IndexException;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The faults of out-of-range indices, by the storage of the index tensor. An out-of-range index is one failure for all instructions of a
 * run. It is also the same failure for the scatter of a gradient whose gather was refused in an earlier run. The failure names the
 * instruction that was recorded first, even if a plan runs another instruction earlier. Used by the worker thread alone.
 */
public final class IndexFaults {
    /**
     * @param run the run in which it was recorded; compared by identity
     * @param place position of the instruction in its graph
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
     * Returns the known fault of this index, or a new one.
     *
     * @param run the run that found the problem
     * @param isRead true if the op reads at the index, false if it writes
     * @param place position of the instruction in the run's graph; later instructions have greater positions
     * @param superseded called with a known fault of this run and the new fault that replaces it, if the new one
     * belongs to an earlier instruction
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
