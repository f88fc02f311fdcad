package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Structure;
import dev.outpost.protocol.message.Fault;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.runtime.session.memory.SessionMemory;
import dev.outpost.types.FaultKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The deferred values of a session. They are computed when they are needed, or when the memory that is kept for their
 * computation exceeds the memory of the values themselves. Used by the session's worker thread alone.
 *
 * <p>A program without scopes creates a thousand rematerializations. After each segment, the table must find those that hold too much
 * memory. It checks only rematerializations for which this may have changed: new rematerializations, rematerializations with a value that
 * was computed or freed, and rematerializations with a storage that lost an owner. Invariant: a rematerialization that holds too much is
 * due, or holds a storage in the queue of those that lost an owner.
 */
public final class RematerializationTable {
    /** The maximum number of rematerializations of a session. Each holds up to 64 instructions. */
    public static final int MAX = 1024;

    /** Runs a graph over the values that a rematerialization holds. */
    @FunctionalInterface
    interface Computation {
        /** Returns the computed values. The caller owns them. */
        Value[] run(Rematerialization rematerialization, Graph graph) throws InterruptedException;
    }

    private final Computation computation;
    private final SessionValues values;
    private final SessionMemory memory;
    /** The rematerializations that hold a storage. */
    private final Map<RefCountedStorage, Set<Rematerialization>> holders = new IdentityHashMap<>();
    /** The storages of rematerializations that lost an owner. Any thread may add. */
    private final Queue<RefCountedStorage> released = new ConcurrentLinkedQueue<>();
    /** The rematerializations that may hold too much memory, in the order of their creation. */
    private final NavigableSet<Rematerialization> due =
            new TreeSet<>(Comparator.comparingLong(Rematerialization::number));

    private int count;
    private long numbers;

    RematerializationTable(Computation computation, SessionValues values, SessionMemory memory) {
        this.computation = computation;
        this.values = values;
        this.memory = memory;
    }

    /**
     * Returns true if runs of a plan may defer values: memory is not short, and most of the plan's earlier deferred
     * values were never needed.
     */
    public boolean takes(Plan plan) {
        return !plan.demand().decideToStore()
                && count + plan.rematerializations() <= MAX
                && hasRoomTwice(plan.memory().newBytes());
    }

    /**
     * Returns true if twice these bytes are available, because the run needs them, and computing the deferred values may need as much.
     * Avoids overflow.
     */
    private boolean hasRoomTwice(long bytes) {
        return bytes <= Long.MAX_VALUE / 2 && memory.available(2 * bytes) >= 2 * bytes;
    }

    public long nextNumber() {
        return ++numbers;
    }

    public void add(Rematerialization rematerialization) {
        count++;
        due.add(rematerialization);
        for (RefCountedStorage storage : rematerialization.storages()) {
            holders.computeIfAbsent(storage, _ -> new HashSet<>()).add(rematerialization);
            storage.watch(released::add);
        }
    }

    /** Removes a rematerialization whose values are all computed or freed. */
    public void remove(Rematerialization rematerialization) {
        count--;
        due.remove(rematerialization);
        rematerialization
                .storages()
                .forEach(storage -> holders.computeIfPresent(storage, (_, left) -> {
                    left.remove(rematerialization);
                    return left.isEmpty() ? null : left;
                }));
    }

    /** Checks a rematerialization again, because its values need less memory than before. */
    public void shrank(Rematerialization rematerialization) {
        due.add(rematerialization);
    }

    /** Checks the rematerializations that hold a storage which has lost an owner or is about to lose one. */
    private void lostAnOwner(RefCountedStorage storage) {
        if (storage.isHeldByRematerializations()) {
            due.addAll(holders.getOrDefault(storage, Set.of()));
        }
    }

    /** Computes the deferred values among these, because the next step needs them. */
    public void require(long... ids) throws InterruptedException {
        Map<Rematerialization, Set<LazyElements>> wanted = new LinkedHashMap<>();
        for (long id : ids) {
            if (values.get(id) instanceof LazyElements value && !value.isMade()) {
                wanted.computeIfAbsent(value.rematerialization(), _ -> new LinkedHashSet<>())
                        .add(value);
            }
        }
        for (Map.Entry<Rematerialization, Set<LazyElements>> entry : wanted.entrySet()) {
            Rematerialization rematerialization = entry.getKey();
            // A client that requests values twice will also request the others, and each request would run the
            // earlier instructions again.
            compute(rematerialization, rematerialization.markAsked() ? rematerialization.open() : entry.getValue());
        }
        if (!wanted.isEmpty()) {
            settle();
        }
        replace(ids);
    }

    /**
     * Computes the deferred values among these. If there is not enough memory for some of them, these stay deferred.
     *
     * @return the faults of the values that stay deferred
     */
    public List<Fault> requireAll(long... ids) throws InterruptedException {
        Set<Rematerialization> wanted = new LinkedHashSet<>();
        for (long id : ids) {
            if (values.get(id) instanceof LazyElements value && !value.isMade()) {
                wanted.add(value.rematerialization());
            }
        }
        for (Rematerialization rematerialization : wanted) {
            // An earlier computation may have replaced or freed values.
            List<LazyElements> open = rematerialization.open();
            Value[] made = computation.run(rematerialization, rematerialization.graph(open));
            List<Fault> missing = missingMemory(made);
            if (!missing.isEmpty()) {
                for (Value value : made) {
                    value.release();
                }
                replace(ids);
                return missing;
            }
            rematerialization.markAsked();
            become(open, made);
        }
        replace(ids);
        return List.of();
    }

    private static List<Fault> missingMemory(Value[] made) {
        Set<Fault> missing = new LinkedHashSet<>();
        for (Value value : made) {
            if (value instanceof Value.Poisoned poisoned && poisoned.fault().getKind() == FaultKind.RESOURCES.code()) {
                missing.add(poisoned.fault());
            }
        }
        return List.copyOf(missing);
    }

    /** Replaces the deferred values of the session by the computed ones. */
    private void replace(long... ids) {
        for (long id : ids) {
            if (values.get(id) instanceof LazyElements value && value.isMade()) {
                Value made = value.made();
                value.release();
                values.replace(id, made);
            }
        }
    }

    /**
     * Prepares a segment before it takes its inputs: computes the inputs it needs, and the deferred values whose
     * rematerialization will hold too much once the segment's last-used inputs are gone.
     */
    public void prepare(Structure structure, long[] inputs) throws InterruptedException {
        require(inputs);
        if (count == 0) {
            return;
        }
        List<RefCountedStorage> leaving = new ArrayList<>();
        for (int input = 0; input < inputs.length; input++) {
            if (structure.isDying(input) && values.get(inputs[input]) instanceof Value.Present present) {
                present.storage().expectsToLose(1);
                leaving.add(present.storage());
            }
        }
        leaving.forEach(this::lostAnOwner);
        try {
            settle();
        } finally {
            leaving.forEach(storage -> storage.expectsToLose(-1));
        }
    }

    /**
     * Computes the values of rematerializations that hold more memory than the values need, as long as there is room
     * for the values.
     */
    public void settle() throws InterruptedException {
        Rematerialization rematerialization = firstDueBehind(null);
        while (rematerialization != null) {
            long bytes = rematerialization.bytes();
            if (!rematerialization.holdsTooMuch()) {
                due.remove(rematerialization);
            } else if (memory.available(bytes) >= bytes) {
                rematerialization.markAsked();
                compute(rematerialization, rematerialization.open());
            }
            rematerialization = firstDueBehind(rematerialization);
        }
    }

    private Rematerialization firstDueBehind(Rematerialization earlier) {
        for (RefCountedStorage storage = released.poll(); storage != null; storage = released.poll()) {
            lostAnOwner(storage);
        }
        return earlier == null ? (due.isEmpty() ? null : due.first()) : due.higher(earlier);
    }

    private void compute(Rematerialization rematerialization, Collection<LazyElements> wanted)
            throws InterruptedException {
        List<LazyElements> inOrder = wanted.stream()
                .sorted(Comparator.comparingInt(LazyElements::number))
                .toList();
        become(inOrder, computation.run(rematerialization, rematerialization.graph(inOrder)));
    }

    private static void become(List<LazyElements> inOrder, Value[] made) {
        for (int position = 0; position < made.length; position++) {
            inOrder.get(position).become(made[position]);
        }
    }

    public void clear() {
        holders.clear();
        released.clear();
        due.clear();
        count = 0;
    }
}
