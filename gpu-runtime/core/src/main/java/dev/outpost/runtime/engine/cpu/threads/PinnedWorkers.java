package dev.outpost.runtime.engine.cpu.threads;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Threads that help with a kernel. If there are as many processors as threads, each thread is bound to one processor, and the threads of
 * the other processors help a caller. Without binding, the system puts a woken thread on a processor that is free at that moment, or, if
 * all are briefly busy, often on the caller's processor. There the thread waits for a time slice of 4 ms although another processor has
 * become idle. On two processors, every second kernel of 5 ms would take 9 ms.
 */
final class PinnedWorkers implements AutoCloseable {
    private static final int QUEUE_BOUND = 1024;
    /**
     * The time for which a thread spins for new work before it sleeps, in nanoseconds. Kernels follow each other within microseconds,
     * while waking a thread takes tens of them.
     */
    private static final long TIMEOUT_NANOS = 30_000;

    private final Supplier<Optional<Affinity>> system;
    private final ThreadPoolExecutor[] helpers;
    /** The processors of the helpers; null if helpers are not bound to processors, and until the first helper has asked the system. */
    private volatile Places places;

    /**
     * The processors of the helpers.
     *
     * @param processors the processor of each helper, in rising order
     */
    private record Places(Affinity affinity, int[] processors) {
        /** Returns the helper on the caller's processor; negative if there is none. */
        int own() {
            return Arrays.binarySearch(processors, affinity.processor());
        }
    }

    /**
     * @param threads the number of threads that work on a kernel, including the caller
     * @param system called by the helpers when they start, so that no caller waits for it; empty if the system chooses the processors
     */
    PinnedWorkers(int threads, Supplier<Optional<Affinity>> system) {
        this.system = system;
        helpers = new ThreadPoolExecutor[threads];
        for (int index = 0; index < threads; index++) {
            helpers[index] = helper(index);
        }
    }

    private ThreadPoolExecutor helper(int index) {
        // A helper that finds the queue full is not needed, since the caller can do all the work.
        return new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new Jobs(),
                task -> Thread.ofPlatform()
                        .daemon()
                        .name("outpost-cpu-" + index)
                        .unstarted(() -> {
                            bind(index);
                            task.run();
                        }),
                new ThreadPoolExecutor.DiscardPolicy());
    }

    private void bind(int index) {
        Places all = places();
        if (all != null) {
            BitSet own = new BitSet();
            own.set(all.processors()[index]);
            all.affinity().allow(all.affinity().thread(), own);
        }
    }

    private synchronized Places places() {
        if (places == null) {
            places = system.get()
                    .map(affinity -> new Places(
                            affinity,
                            affinity.allowed(affinity.thread()).stream().toArray()))
                    .filter(all -> all.processors().length == helpers.length)
                    .orElse(null);
        }
        return places;
    }

    /**
     * Passes a job to {@code count} helpers, but not to the helper on the caller's processor. {@code count} is less than the number of
     * threads. The job receives the number of its helper.
     *
     * @return a number for the caller that no helper of this job has; always the same on the same processor
     */
    int call(IntConsumer job, int count) {
        int left = leftOut();
        for (int distance = 1; distance <= count; distance++) {
            int helper = (left + distance) % helpers.length;
            helpers[helper].execute(() -> job.accept(helper));
        }
        return left;
    }

    /**
     * Returns the number of the helper that does not get the job. If the helpers are not bound, it depends on the
     * calling thread, so that each caller uses the same helpers again, which may still be awake.
     */
    private int leftOut() {
        Places all = places;
        int own = all == null ? -1 : all.own();
        return own >= 0 ? own : (int) (Thread.currentThread().threadId() % helpers.length);
    }

    @Override
    public void close() {
        for (ThreadPoolExecutor helper : helpers) {
            helper.shutdown();
        }
    }

    /** Spins for a short time until the condition holds. */
    static void watch(BooleanSupplier holds) {
        long begin = System.nanoTime();
        while (!holds.getAsBoolean() && System.nanoTime() - begin < TIMEOUT_NANOS) {
            Thread.onSpinWait();
        }
    }

    /** The queue of a helper. The helper spins for a while before it sleeps. */
    private static final class Jobs extends LinkedBlockingQueue<Runnable> {
        private static final long serialVersionUID = 1;

        Jobs() {
            super(QUEUE_BOUND);
        }

        @Override
        public Runnable take() throws InterruptedException {
            watch(() -> !isEmpty());
            return super.take();
        }
    }
}
