package dev.outpost.runtime.engine.cpu;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fixed set of threads that share one kernel's work over a range. The caller works too and can finish alone, so that
 * callers never wait for each other's work to begin. What is computed must not depend on where a range is cut.
 */
final class Workers implements AutoCloseable {
    /** Cuts fall on multiples of this many elements, so that no two threads write one cache line. */
    private static final int ALIGNMENT = 64;

    /**
     * More pieces than threads even out what differs between threads: one may come late, or share its processor with what else the
     * machine does.
     */
    private static final int PIECES_PER_THREAD = 16;

    /** A part of a kernel's work. */
    @FunctionalInterface
    interface Range {
        void run(int from, int to);
    }

    private final int threads;
    private final Helpers helpers;

    Workers(int threads) {
        this.threads = threads;
        this.helpers = new Helpers(threads, Affinity::ofSystem);
    }

    int threads() {
        return threads;
    }

    /** Runs pieces of at least {@code grain} of the range 0 to {@code total}; less than two of them run on the caller. */
    void run(int total, int grain, Range range) {
        int most = Math.min(threads * PIECES_PER_THREAD, total / Math.max(grain, 1));
        if (threads == 1 || most < 2) {
            range.run(0, total);
            return;
        }
        // Few big things are cut anywhere, many small things on cache lines.
        int unit = grain >= ALIGNMENT ? ALIGNMENT : 1;
        int step = Math.ceilDiv(Math.ceilDiv(total, most), unit) * unit;
        Job job = new Job(range, total, step);
        helpers.call(job, Math.min(threads, job.pieces) - 1);
        job.run();
        job.await();
    }

    @Override
    public void close() {
        helpers.close();
    }

    /** One range; whoever comes takes the next piece. */
    private static final class Job implements Runnable {
        private final Range range;
        private final int total;
        private final int step;
        private final int pieces;
        private final AtomicInteger taken = new AtomicInteger();
        private volatile int finished;
        private int failedPiece = Integer.MAX_VALUE;
        private Throwable failure;

        Job(Range range, int total, int step) {
            this.range = range;
            this.total = total;
            this.step = step;
            this.pieces = Math.ceilDiv(total, step);
        }

        @Override
        public void run() {
            for (int piece = taken.getAndIncrement(); piece < pieces; piece = taken.getAndIncrement()) {
                Throwable thrown = null;
                try {
                    range.run(piece * step, (int) Math.min((piece + 1L) * step, total));
                } catch (Throwable any) {
                    thrown = any;
                }
                finish(piece, thrown);
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
            if (now == pieces) {
                notifyAll();
            }
        }

        void await() {
            Helpers.watch(() -> finished == pieces);
            sleep();
            rethrow();
        }

        /** Pieces are short and always end, so an interrupt waits until they have. */
        private synchronized void sleep() {
            boolean interrupted = false;
            while (finished < pieces) {
                try {
                    wait();
                } catch (InterruptedException later) {
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
