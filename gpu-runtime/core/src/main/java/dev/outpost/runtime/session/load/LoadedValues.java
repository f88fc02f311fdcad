package dev.outpost.runtime.session.load;

import dev.outpost.protocol.op.Load;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.runtime.source.TensorLoads;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The values that were loaded from sources and that at least one session holds. Equal loads of all sessions share the
 * same memory, and each session is charged an equal part of it. Thread-safe.
 */
public final class LoadedValues {
    private final Engine engine;
    private final TensorLoads loads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Load, Entry> entries = new HashMap<>();

    public LoadedValues(Engine engine, TensorLoads loads) {
        this.engine = engine;
        this.loads = loads;
    }

    /**
     * A session's hold on a value that is loaded or being loaded. The session either releases the hold or takes the
     * value's storage.
     */
    public final class Hold {
        private final Entry entry;
        private final Loads session;
        private boolean isLeft;

        private Hold(Entry entry, Loads session) {
            this.entry = entry;
            this.session = session;
        }

        /** Completes when the value is loaded. */
        CompletableFuture<Void> ready() {
            return entry.ready;
        }

        /** Returns the memory, once it is {@link #ready}. The caller owns it. */
        RefCountedStorage storage() {
            return RefCountedStorage.shared(entry.buffer, engine, this::leave);
        }

        void leave() {
            lock.lock();
            try {
                if (!isLeft) {
                    isLeft = true;
                    entry.leave(session);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Returns a hold on the value of a load. Starts to load it if no session holds it yet.
     *
     * @throws OutpostException of kind resources if the session has no room for its part
     */
    public Hold hold(Load load, Loads session) {
        lock.lock();
        try {
            Entry known = entries.get(load);
            boolean isOver = known == null || known.hasFailed() || known.isAbandoned;
            Entry entry = isOver ? begin(load, session) : known;
            if (entry == known) {
                entry.join(session);
            }
            return new Hold(entry, session);
        } finally {
            lock.unlock();
        }
    }

    /** Cancels the loads that are under way, and waits for a limited time until they no longer use the engine. */
    public void close(Duration atMost) throws InterruptedException {
        loads.close(atMost);
    }

    private Entry begin(Load load, Loads session) {
        TensorType type = load.type();
        session.memory().reserve(type.bytes());
        Entry entry = null;
        try {
            entry = new Entry(load, engine.allocate(type.dtype(), type.shape().elements(), session.number()));
        } finally {
            if (entry == null) {
                session.memory().quota().release(type.bytes());
            }
        }
        entry.charges.put(session, new Charge(type.bytes()));
        entries.put(load, entry);
        entry.start(session);
        return entry;
    }

    /** The number of holds of one session, and the bytes it is charged. */
    private static final class Charge {
        private int holds = 1;
        private long bytes;

        Charge(long bytes) {
            this.bytes = bytes;
        }
    }

    /** One value and its holders. Guarded by the lock. */
    private final class Entry {
        private final Load load;
        private final EngineBuffer buffer;
        private final long bytes;
        private final Map<Loads, Charge> charges = new LinkedHashMap<>();
        private TensorLoads.Loading loading;
        private CompletableFuture<Void> ready;
        private boolean isLoading = true;
        private boolean isAbandoned;

        Entry(Load load, EngineBuffer buffer) {
            this.load = load;
            this.buffer = buffer;
            this.bytes = load.type().bytes();
        }

        void start(Loads session) {
            loading = loads.start(load, buffer, session::read);
            ready = loading.done();
            ready.whenComplete((_, _) -> loaded());
        }

        boolean hasFailed() {
            return ready.isCompletedExceptionally();
        }

        private void loaded() {
            lock.lock();
            try {
                isLoading = false;
                if (hasFailed()) {
                    entries.remove(load, this);
                }
                freeIfLeft();
            } finally {
                lock.unlock();
            }
        }

        void join(Loads session) {
            Charge own = charges.get(session);
            if (own != null) {
                own.holds++;
                return;
            }
            int holders = charges.size() + 1;
            long part = bytes / holders;
            charge(part, bytes - part * (holders - 1));
            try {
                session.memory().reserveHeld(part);
            } catch (OutpostException failure) {
                shareEvenly();
                throw failure;
            }
            charges.put(session, new Charge(part));
        }

        void leave(Loads session) {
            Charge own = charges.get(session);
            if (--own.holds > 0) {
                return;
            }
            if (charges.size() == 1) {
                // The charge stays until the memory is released.
                isAbandoned = true;
                loading.cancel();
                freeIfLeft();
                return;
            }
            charges.remove(session);
            session.memory().quota().shift(-own.bytes);
            shareEvenly();
        }

        private void shareEvenly() {
            long part = bytes / charges.size();
            charge(part, bytes - part * (charges.size() - 1));
        }

        /** @param first the charge of the first holder in bytes, which includes the remainder of the division */
        private void charge(long part, long first) {
            long due = first;
            for (Map.Entry<Loads, Charge> each : charges.entrySet()) {
                each.getKey().memory().quota().shift(due - each.getValue().bytes);
                each.getValue().bytes = due;
                due = part;
            }
        }

        private void freeIfLeft() {
            boolean isHeld = charges.values().stream().anyMatch(charge -> charge.holds > 0);
            if (isHeld || isLoading) {
                return;
            }
            entries.remove(load, this);
            engine.release(buffer);
            charges.forEach((session, charge) -> session.memory().quota().release(charge.bytes));
            charges.clear();
        }
    }
}
