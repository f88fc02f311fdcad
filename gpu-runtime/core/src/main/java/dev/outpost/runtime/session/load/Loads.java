package dev.outpost.runtime.session.load;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.source.LoadProgress;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.runtime.session.memory.SessionMemory;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The loads of a session from sources. All loads of a segment begin before its first instruction runs, so they run concurrently. The
 * segment then waits for them one by one.
 */
public final class Loads {
    private final long session;
    private final SessionMemory memory;
    private final LoadedValues values;
    private final LongSupplier clock;
    /** The loads that were begun for the current segment. Used by the worker thread alone. */
    private final Map<Load, Deque<Begun>> begun = new HashMap<>();

    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private volatile long firstNanos;
    private volatile long latestNanos;
    /** Completes when the client cancels the current loads. */
    private volatile CompletableFuture<Void> cancelled = new CompletableFuture<>();

    /** The hold of a begun load, or the failure to get it. */
    private record Begun(LoadedValues.Hold hold, RuntimeException problem) {}

    public Loads(long session, SessionMemory memory, LoadedValues values, LongSupplier clock) {
        this.session = session;
        this.memory = memory;
        this.values = values;
        this.clock = clock;
    }

    public long number() {
        return session;
    }

    public SessionMemory memory() {
        return memory;
    }

    /** Begins all loads of a segment. */
    public void begin(Graph graph) {
        if (cancelled.isDone()) {
            cancelled = new CompletableFuture<>();
        }
        for (Instruction instruction : graph.instructions()) {
            if (instruction.op() instanceof Load load) {
                begun.computeIfAbsent(load, _ -> new ArrayDeque<>()).add(begin(load));
            }
        }
    }

    private Begun begin(Load load) {
        if (firstNanos == 0) {
            firstNanos = clock.getAsLong();
        }
        asked.incrementAndGet();
        try {
            return new Begun(values.hold(load, this), null);
        } catch (OutpostException failure) {
            return new Begun(null, failure);
        } catch (OutOfMemoryError outOfMemory) {
            return new Begun(
                    null, new OutpostException(FaultKind.RESOURCES, "load: out of memory on the machine", outOfMemory));
        }
    }

    /** Waits until a load is done. The caller owns the returned storage. If the load failed, throws its failure. */
    public RefCountedStorage take(Load load, Runnable beforeWaiting) throws InterruptedException {
        Deque<Begun> waiting = begun.get(load);
        Begun next = waiting == null || waiting.isEmpty() ? begin(load) : waiting.remove();
        if (next.problem() != null) {
            done.incrementAndGet();
            throw next.problem();
        }
        boolean isTaken = false;
        try {
            CompletableFuture<Void> ready = next.hold().ready();
            if (!ready.isDone()) {
                beforeWaiting.run();
            }
            CompletableFuture.anyOf(ready, cancelled).get();
            if (!ready.isDone()) {
                throw new OutpostException(
                        FaultKind.USER, "load: " + load.tensor() + ": loading was cancelled by the program");
            }
            isTaken = true;
            return next.hold().storage();
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof OutpostException told
                    ? new OutpostException(told.kind(), told.getMessage(), told)
                    : new OutpostException(
                            FaultKind.INTERNAL, "load: " + load.tensor() + ": " + failure.getCause(), failure);
        } finally {
            done.incrementAndGet();
            if (!isTaken) {
                next.hold().leave();
            }
        }
    }

    /** Releases the loads that were begun for a segment and not taken. */
    public void endSegment() {
        begun.values()
                .forEach(waiting -> waiting.forEach(each -> {
                    if (each.hold() != null) {
                        each.hold().leave();
                    }
                }));
        begun.clear();
    }

    /** Counts bytes that were read from a source. Callable from any thread. */
    public void read(long count) {
        bytes.addAndGet(count);
        latestNanos = clock.getAsLong();
    }

    /** Cancels the loads of the current segment. Callable from any thread. */
    public void cancel() {
        cancelled.complete(null);
    }

    public LoadProgress progress() {
        long nanos = Math.max(0, latestNanos - firstNanos);
        return new LoadProgress(asked.get(), done.get(), bytes.get(), bytes.get() == 0 ? 0 : nanos);
    }
}
