package dev.outpost.runtime.engine.cpu.threads;

import java.util.function.Supplier;

/**
 * A fixed set of threads that share one kernel's work over a range. The caller works too and can finish alone, so that
 * callers never wait for each other's work to begin. What is computed must not depend on where a range is cut.
 */
public final class KernelThreads implements AutoCloseable {
    /** Cuts fall on multiples of this many elements, so that no two threads write one cache line. */
    private static final int ALIGNMENT = 64;

    /**
     * More pieces than threads even out what differs between threads: one may come late, or share its processor with what else the
     * machine does.
     */
    private static final int PIECES_PER_THREAD = 16;

    /** A part of a kernel's work. */
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

    /** The objects that one thread has of its own for its pieces. */
    public interface Share extends Range, AutoCloseable {
        @Override
        void close();
    }

    /** Runs pieces of at least {@code grain} of the range 0 to {@code total}; less than two of them run on the caller. */
    public void run(int total, int grain, Range range) {
        share(total, grain, () -> new Common(range));
    }

    /** As {@link #run}, where each thread that comes gets a share of its own for all the pieces that it takes. */
    public void share(int total, int grain, Supplier<? extends Share> shares) {
        int max = Math.min(threads * PIECES_PER_THREAD, total / Math.max(grain, 1));
        if (threads == 1 || max < 2) {
            try (Share share = shares.get()) {
                share.run(0, total);
            }
            return;
        }
        // Few big things are cut anywhere, many small things on cache lines.
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

    /** The same for all threads. */
    private record Common(Range range) implements Share {
        @Override
        public void run(int from, int to) {
            range.run(from, to);
        }

        @Override
        public void close() {
            // Nothing is a thread's own.
        }
    }

    /** One range, done by whoever comes. */
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

        /** The failure of the foremost piece is the one that a single thread would have met. */
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

        /** Pieces are short and always end, so an interrupt waits until they have. */
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
