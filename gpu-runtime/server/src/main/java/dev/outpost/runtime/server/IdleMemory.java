package dev.outpost.runtime.server;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.stats.RuntimeStats;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Gives memory back to the system once the runtime has been idle for a while. A collector keeps the heap that it has taken until it
 * collects, and an idle runtime gives it no reason to. One collection follows each time of use. Used by one thread.
 */
final class IdleMemory {
    /** A pause between two steps of a program is no idleness. */
    static final Duration PAUSE = Duration.ofSeconds(20);

    private final Supplier<?> use;
    private final BooleanSupplier isBusy;
    private final LongSupplier clock;
    private final Runnable collect;
    private Object lastUse;
    private long idleSince;
    private boolean isReturned = true;

    /**
     * @param use what has been done so far; equal objects where nothing was done in between
     * @param isBusy true while something is being computed
     * @param clock a monotonic clock in nanoseconds
     * @param collect gives free memory back
     */
    IdleMemory(Supplier<?> use, BooleanSupplier isBusy, LongSupplier clock, Runnable collect) {
        this.use = use;
        this.isBusy = isBusy;
        this.clock = clock;
        this.collect = collect;
        this.lastUse = use.get();
        this.idleSince = clock.getAsLong();
    }

    /** The segments, kernels and values of a runtime, without the signs of life of its clients. */
    private record Use(long segments, long kernels, int sessions, long liveBytes) {
        static Use of(RuntimeStats stats) {
            return new Use(
                    stats.work().segments(),
                    stats.work().kernels(),
                    stats.sessions(),
                    stats.load().liveBytes());
        }
    }

    /**
     * Of a runtime in this JVM. The engine frees the buffers that it keeps for reuse; then a full collection compacts the heap, so that
     * most of it can be given back.
     */
    static IdleMemory of(RuntimeHost host, Engine engine) {
        return new IdleMemory(() -> Use.of(host.stats()), host::isBusy, System::nanoTime, () -> {
            engine.freeUnused();
            System.gc();
        });
    }

    /** Looks whether the runtime is idle; called every second or so. */
    void tick() {
        Object now = use.get();
        if (isBusy.getAsBoolean() || !now.equals(lastUse)) {
            lastUse = now;
            idleSince = clock.getAsLong();
            isReturned = false;
        } else if (!isReturned && clock.getAsLong() - idleSince >= PAUSE.toNanos()) {
            isReturned = true;
            collect.run();
        }
    }
}
