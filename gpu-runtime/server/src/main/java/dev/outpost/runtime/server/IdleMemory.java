package dev.outpost.runtime.server;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.stats.RuntimeStats;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Returns memory to the operating system after the runtime has been idle for a while. The garbage collector shrinks
 * the heap only during a collection, which an idle runtime does not trigger. So this class triggers one collection
 * after each period of use. Used by one thread.
 */
final class IdleMemory {
    /** The time without work after which the runtime counts as idle. It is longer than usual pauses between two steps of a program. */
    static final Duration PAUSE = Duration.ofSeconds(20);

    private final Supplier<?> use;
    private final BooleanSupplier isBusy;
    private final LongSupplier clock;
    private final Runnable collect;
    private Object lastUse;
    private long idleSince;
    private boolean isReturned = true;

    /**
     * @param use returns the work done so far; two results are equal if no work was done between them
     * @param isBusy true while something is being computed
     * @param clock a monotonic clock in nanoseconds
     * @param collect returns free memory to the operating system
     */
    IdleMemory(Supplier<?> use, BooleanSupplier isBusy, LongSupplier clock, Runnable collect) {
        this.use = use;
        this.isBusy = isBusy;
        this.clock = clock;
        this.collect = collect;
        this.lastUse = use.get();
        this.idleSince = clock.getAsLong();
    }

    /** The work and values of a runtime. Keep-alive messages of clients do not change it. */
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
     * Watches a runtime in this JVM. The engine frees the buffers that it keeps for reuse. Then a full collection compacts the heap, so
     * that most of it can be returned.
     */
    static IdleMemory of(RuntimeHost host, Engine engine) {
        return new IdleMemory(() -> Use.of(host.stats()), host::isBusy, System::nanoTime, () -> {
            engine.freeUnused();
            System.gc();
        });
    }

    /** Triggers a collection if the runtime has become idle. Call it about every second. */
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
