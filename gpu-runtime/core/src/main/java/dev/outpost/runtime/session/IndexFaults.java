package dev.outpost.runtime.session;

import dev.outpost.protocol.fault.IndexException;
import dev.outpost.protocol.message.Fault;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/**
 * Faults of indices, by the storage of the index. An index that is out of range is one failure, however many instructions it is
 * an operand of: a gather that is refused, and the scatter of its gradient. Used by the worker alone.
 */
final class IndexFaults {
    private record Known(long index, long size, Fault fault) {}

    private final Map<Storage, Known> latest = new WeakHashMap<>();

    /** The fault that is known of this index, or a new one. */
    Fault of(Storage storage, IndexException problem, Supplier<Fault> recorded) {
        Known known = latest.get(storage);
        if (known == null || known.index != problem.index() || known.size != problem.size()) {
            known = new Known(problem.index(), problem.size(), recorded.get());
            latest.put(storage, known);
        }
        return known.fault;
    }
}
