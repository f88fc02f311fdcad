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
 * Measures one session on an asynchronous engine by the device's clock: the time of its kernels, and how far the session is ahead of the
 * device. Consecutive kernels form a batch between a stamp and a fence. The worker thread launches. The engine reports later which batches
 * have run.
 *
 * <p>Limit: the launched work that has not run yet takes less than {@link #AHEAD} by its estimate, or is a single
 * batch. So the session that gets the next time slice waits for the device at most {@link #AHEAD}, or until one longer batch has
 * finished.
 */
public final class DeviceMeter implements EngineTimeUsage {
    /**
     * The limit of launched work. It keeps a device busy while the host handles a completion and launches further
     * work.
     */
    public static final Duration AHEAD = Duration.ofMillis(10);

    /** Receives the approximate start and end of a kernel by the host's clock, in nanoseconds. */
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

    /** The batch that is open; null if there is none. Used by the worker thread alone. */
    private Batch open;

    private AtomicLong segmentNanos = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ran = lock.newCondition();
    private int batches;
    private long estimateAhead;
    /** The nanoseconds that are assumed for a kernel without an estimate. */
    private long typicalNanos = AHEAD.toNanos();
    /** The difference between the host's clock and the device's clock, in nanoseconds. */
    private long offset = Long.MAX_VALUE;

    private volatile long usedNanos;

    public DeviceMeter(Engine engine, SessionCounters counters, LongSupplier clock) {
        this.engine = engine;
        this.counters = counters;
        this.clock = clock;
    }

    /** Also adds the time of later launches to this counter of a segment. */
    public void countFor(AtomicLong nanos) {
        close();
        segmentNanos = nanos;
    }

    // ---- launching, called by the worker thread

    /** Begins a batch if none is open. Called before each launch of a kernel or of several kernels as one. */
    public void begin() {
        if (open == null) {
            open = new Batch(engine.stamp(), segmentNanos);
        }
    }

    /**
     * Works like {@link #begin}, for a launch that is timed separately. Pass the stamp to {@link #end(int, long,
     * Stamp, Timed)}.
     */
    public Stamp beginTimed() {
        begin();
        return engine.stamp();
    }

    /**
     * Adds a launch to the open batch. Called after the launch.
     *
     * @param kernels the number of kernels launched
     * @param estimate their expected run time in nanoseconds; negative if it is unknown
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

    /** Waits interruptibly as long as the session is too far ahead of the device. */
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

    /** Returns a fence after all launched work. The fence fails if the device has failed. */
    public Fence fence() {
        Fence last = open == null ? null : close();
        return last == null ? engine.fence() : last;
    }

    /** Closes the open batch, if any, so that it does not include launches of other sessions. */
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

    /**
     * Creates the fence of a batch. The fence fails if the device has failed, so a session that ends can always close
     * its batch.
     */
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

    // ---- completions, called by the engine

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
        // Each report arrives with a delay, so the smallest difference is the closest to the true one.
        offset = Math.min(offset, clock.getAsLong() - fence.nanos());
        batch.timed.forEach(kernel -> kernel.timed.ran(kernel.start.nanos() + offset, kernel.end.nanos() + offset));
    }

    /**
     * Updates the estimate by the measured time of a kernel. The estimate rises immediately and falls slowly, because a
     * short wait is better than being too far ahead.
     */
    private void learn(long nanosOfKernel) {
        typicalNanos = Math.max(nanosOfKernel, typicalNanos - (typicalNanos - nanosOfKernel) / 4);
    }

    // ---- the use of the engine

    @Override
    public void begins(long now) {
        // Only the time of the device counts, not the duration of the time slice.
    }

    @Override
    public void ends(long now) {
        // Only the time of the device counts.
    }

    @Override
    public long nanos(long now) {
        return usedNanos;
    }
}
