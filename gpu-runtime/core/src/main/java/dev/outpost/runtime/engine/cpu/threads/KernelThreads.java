package dev.outpost.runtime.engine.cpu.threads;

import java.util.function.Supplier;

/**
 * A fixed set of threads that share one kernel's work over a range. The caller works too and can finish alone, so no
 * caller waits until a thread is free. Results must not depend on where a range is cut.
 */
public final class KernelThreads implements AutoCloseable {
    /** The range is cut at multiples of this number of elements, so that no two threads write to one cache line. */
    private static final int ALIGNMENT = 64;

    /**
     * The number of pieces for each thread. With more pieces than threads, a thread that is late or shares its processor takes fewer of
     * them.
     */
    private static final int PIECES_PER_THREAD = 16;

    /** The work on a part of the range. */
    @FunctionalInterface
    public interface Range {
        public void run(int from, int to);
    }

    private final int threads;
    private final PinnedWorkers pinned;

    public KernelThreads(int threads) {
        this.threads = threads;
        this.pinned = new PinnedWorkers(threads, Affinity::ofSystem);
    }

    public int threads() {
        return threads;
    }

    /** The private state of one thread for all its pieces. */
    public interface Share extends Range, AutoCloseable {
        @Override
        void close();
    }

    /**
     * Runs the range 0 (inclusive) to {@code total} (exclusive) in pieces of at least {@code grain} elements. A
     * single piece runs on the calling thread.
     */
    public void run(int total, int grain, Range range) {
        share(total, grain, () -> new Common(range));
    }

    /** Runs the range like {@link #run}. Each participating thread uses one share for all its pieces. */
    public void share(int total, int grain, Supplier<? extends Share> shares) {
        int max = Math.min(threads * PIECES_PER_THREAD, total / Math.max(grain, 1));
        if (threads == 1 || max < 2) {
            try (Share share = shares.get()) {
                share.run(0, total);
            }
            return;
        }
        // A range of few large elements is cut anywhere, one of many small elements at cache lines.
        int unit = grain >= ALIGNMENT ? ALIGNMENT : 1;
        int step = Math.ceilDiv(Math.ceilDiv(total, max), unit) * unit;
        Job job = new Job(shares, total, step, new WorkChunks(Math.ceilDiv(total, step), threads));
        job.run(pinned.call(job::run, Math.min(threads, job.chunks.count()) - 1));
        job.await();
    }

    @Override
    public void close() {
        pinned.close();
    }

    /** A share without private state, the same for all threads. */
    private record Common(Range range) implements Share {
        @Override
        public void run(int from, int to) {
            range.run(from, to);
        }

        @Override
        public void close() {
            // No thread has state to release.
        }
    }

    /** One range, which the caller and the helpers process together. */
    private static final class Job {
        private final Supplier<? extends Share> shares;
        private final int total;
        private final int step;
        private final WorkChunks chunks;
        private volatile int finished;
        private int failedPiece = Integer.MAX_VALUE;
        private Throwable failure;

        Job(Supplier<? extends Share> shares, int total, int step, WorkChunks chunks) {
            this.shares = shares;
            this.total = total;
            this.step = step;
            this.chunks = chunks;
        }

        public void run(int thread) {
            Share share = null;
            for (int piece = chunks.next(thread); piece >= 0; piece = chunks.next(thread)) {
                Throwable thrown = null;
                try {
                    share = share == null ? shares.get() : share;
                    share.run(piece * step, (int) Math.min((piece + 1L) * step, total));
                } catch (Throwable failure) {
                    thrown = failure;
                }
                finish(piece, thrown);
            }
            if (share != null) {
                share.close();
            }
        }

        /**
         * Keeps the failure of the first piece in the range, because a single thread would have thrown this failure.
         */
        private synchronized void finish(int piece, Throwable thrown) {
            if (thrown != null && piece < failedPiece) {
                failedPiece = piece;
                failure = thrown;
            }
            int now = finished + 1;
            finished = now;
            if (now == chunks.count()) {
                notifyAll();
            }
        }

        void await() {
            PinnedWorkers.watch(() -> finished == chunks.count());
            sleep();
            rethrow();
        }

        /** Waits without reacting to interrupts, since pieces are short and always end. Restores the interrupt flag afterwards. */
        private synchronized void sleep() {
            boolean interrupted = false;
            while (finished < chunks.count()) {
                try {
                    wait();
                } catch (InterruptedException failure) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private void rethrow() {
            switch (failure) {
                case null -> {}
                case RuntimeException unchecked -> throw unchecked;
                case Error error -> throw error;
                default -> throw new IllegalStateException(failure);
            }
        }
    }
}
