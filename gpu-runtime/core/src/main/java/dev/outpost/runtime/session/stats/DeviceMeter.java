package dev.outpost.runtime.session.stats;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Fence;
import dev.outpost.runtime.engine.Stamp;
import dev.outpost.runtime.session.schedule.EngineTimeUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The meter of one session on an asynchronous engine, by the device's clock: the time of its kernels, and how far the
 * session is ahead of the device. Kernels that follow each other are a batch, from a stamp to a fence. The worker
 * launches; the engine says later what has run.
 *
 * <p>Bound: what was launched and has not run takes less than {@link #AHEAD}, by what is known of it, or is one batch. So whoever has the next turn waits no
 * longer than that, or for one kernel.
 */
public final class DeviceMeter implements EngineTimeUsage {
    /** Long enough to keep a device busy while the host is told and goes on. */
    public static final Duration AHEAD = Duration.ofMillis(10);

    /** Hears when a kernel ran, by the host's clock, as well as that can be told. */
    @FunctionalInterface
    public interface Timed {
        void ran(long start, long end);
    }

    private record Kernel(Stamp start, Stamp end, Timed timed) {}

    private static final class Batch {
        final Stamp start;
        final AtomicLong segmentNanos;
        final List<Kernel> timed = new ArrayList<>(0);
        int kernels;
        long estimate;

        Batch(Stamp start, AtomicLong segmentNanos) {
            this.start = start;
            this.segmentNanos = segmentNanos;
        }
    }

    private final Engine engine;
    private final SessionCounters counters;
    private final LongSupplier clock;

    /** The worker's alone. */
    private Batch open;

    private AtomicLong segmentNanos = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ran = lock.newCondition();
    private int batches;
    private long estimateAhead;
    /** How long a kernel takes of which nothing is known. */
    private long typicalNanos = AHEAD.toNanos();
    /** The difference between the host's clock and the device's. */
    private long offset = Long.MAX_VALUE;

    private volatile long usedNanos;

    public DeviceMeter(Engine engine, SessionCounters counters, LongSupplier clock) {
        this.engine = engine;
        this.counters = counters;
        this.clock = clock;
    }

    /** Launches from now on count for that segment as well. */
    public void countFor(AtomicLong nanos) {
        close();
        segmentNanos = nanos;
    }

    // ---- launching, by the worker

    /** Before a kernel is launched, or several as one. */
    public void begin() {
        if (open == null) {
            open = new Batch(engine.stamp(), segmentNanos);
        }
    }

    /** As {@link #begin}, for what is to be timed by itself; the answer is for {@link #end(int, long, Stamp, Timed)}. */
    public Stamp beginTimed() {
        begin();
        return engine.stamp();
    }

    /**
     * Behind what was launched.
     *
     * @param kernels how many
     * @param estimate how long it will run, in nanoseconds; negative where nobody knows
     */
    public void end(int kernels, long estimate) {
        open.kernels += kernels;
        open.estimate += estimate < 0 ? typical(kernels) : estimate;
        if (open.estimate >= AHEAD.toNanos() / 2) {
            close();
        }
    }

    public void end(int kernels, long estimate, Stamp start, Timed timed) {
        open.timed.add(new Kernel(start, engine.stamp(), timed));
        end(kernels, estimate);
    }

    private long typical(int kernels) {
        lock.lock();
        try {
            return kernels * typicalNanos;
        } finally {
            lock.unlock();
        }
    }

    /** Waits, interruptibly, as long as the session is too far ahead of the device. */
    public void awaitRoom() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (isTooFarAhead()) {
                ran.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isTooFarAhead() {
        long estimate = estimateAhead + (open == null ? 0 : open.estimate);
        return batches > 0 && estimate >= AHEAD.toNanos();
    }

    /** A fence behind all that was launched. One that failed where the device has. */
    public Fence fence() {
        Fence last = open == null ? null : close();
        return last == null ? engine.fence() : last;
    }

    /** Ends the open batch where there is one: what others launch is not in it. */
    public Fence close() {
        if (open == null) {
            return null;
        }
        Batch batch = open;
        open = null;
        Fence fence = fence(batch);
        lock.lock();
        try {
            batches++;
            estimateAhead += batch.estimate;
        } finally {
            lock.unlock();
        }
        fence.whenDone(() -> ran(batch, fence));
        return fence;
    }

    /** A session that ends closes its batch as well, whatever its device does. */
    private Fence fence(Batch batch) {
        try {
            return engine.fence();
        } catch (RuntimeException failure) {
            batch.timed.clear();
            Fence failed = new Fence();
            failed.fail(failure);
            return failed;
        }
    }

    // ---- what has run, by the engine

    private void ran(Batch batch, Fence fence) {
        lock.lock();
        try {
            batches--;
            estimateAhead -= batch.estimate;
            if (fence.failure().isEmpty()) {
                count(batch, fence);
            }
            ran.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void count(Batch batch, Fence fence) {
        long nanos = Math.max(0, fence.nanos() - batch.start.nanos());
        usedNanos += nanos;
        batch.segmentNanos.addAndGet(nanos);
        counters.engineNanos.add(nanos);
        counters.kernels.add(batch.kernels);
        learn(nanos / Math.max(1, batch.kernels));
        // Each report was late by the time that reporting took; the least difference is nearest to the true one.
        offset = Math.min(offset, clock.getAsLong() - fence.nanos());
        batch.timed.forEach(kernel -> kernel.timed.ran(kernel.start.nanos() + offset, kernel.end.nanos() + offset));
    }

    /** Rises at once and falls slowly: to be too far ahead is worse than to wait for a moment. */
    private void learn(long nanosOfKernel) {
        typicalNanos = Math.max(nanosOfKernel, typicalNanos - (typicalNanos - nanosOfKernel) / 4);
    }

    // ---- the use of the engine

    @Override
    public void begins(long now) {
        // The device's time is counted, whoever has the turn when it is.
    }

    @Override
    public void ends(long now) {
        // As above.
    }

    @Override
    public long nanos(long now) {
        return usedNanos;
    }
}
