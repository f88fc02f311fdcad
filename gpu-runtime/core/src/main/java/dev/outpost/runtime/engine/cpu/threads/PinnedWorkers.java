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
 * Threads that help with a kernel: one for each processor, where there are as many processors as threads, and who calls them is
 * helped by those of the others. The system would put a thread that is woken where there is room at that moment; when
 * all processors have something to do for just some microseconds, that is often the caller's, where it waits for a turn of 4 ms
 * beside one that has gone idle: on two processors every other kernel of 5 ms took 9.
 */
final class PinnedWorkers implements AutoCloseable {
    private static final int QUEUE_BOUND = 1024;
    /**
     * How long a thread looks for what comes next before it sleeps: kernels follow each other within microseconds, while to
     * be woken takes tens of them.
     */
    private static final long TIMEOUT_NANOS = 30_000;

    private final Supplier<Optional<Affinity>> system;
    private final ThreadPoolExecutor[] helpers;
    /** Null until the first of them has asked the system, and where they are not bound to processors. */
    private volatile Places places;

    /**
     * Where the helpers are.
     *
     * @param processors that of each helper, in rising order
     */
    private record Places(Affinity affinity, int[] processors) {
        /** The helper on the caller's processor; negative where there is none. */
        int own() {
            return Arrays.binarySearch(processors, affinity.processor());
        }
    }

    /**
     * @param threads how many work on a kernel, the caller included
     * @param system asked by the helpers when they begin, so that nobody waits for it; empty where all threads run where the system
     *     puts them
     */
    PinnedWorkers(int threads, Supplier<Optional<Affinity>> system) {
        this.system = system;
        helpers = new ThreadPoolExecutor[threads];
        for (int index = 0; index < threads; index++) {
            helpers[index] = helper(index);
        }
    }

    private ThreadPoolExecutor helper(int index) {
        // One that finds no room in the queue is not needed: the caller does its part.
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
     * Has so many helpers run a job, fewer than there are threads; not the one on the caller's processor. Each is told its number;
     * the answer is the number that is left for the caller, on the same processor the same each time.
     */
    int call(IntConsumer job, int count) {
        int left = leftOut();
        for (int distance = 1; distance <= count; distance++) {
            int helper = (left + distance) % helpers.length;
            helpers[helper].execute(() -> job.accept(helper));
        }
        return left;
    }

    /** Where helpers are not bound, callers have different ones first, and each the same: those may still be awake. */
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

    /** Waits until something holds, for a short time. */
    static void watch(BooleanSupplier holds) {
        long begin = System.nanoTime();
        while (!holds.getAsBoolean() && System.nanoTime() - begin < TIMEOUT_NANOS) {
            Thread.onSpinWait();
        }
    }

    /** The queue at which a helper waits, awake for a while. */
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
