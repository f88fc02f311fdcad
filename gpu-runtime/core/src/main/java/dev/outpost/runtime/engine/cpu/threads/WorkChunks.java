package dev.outpost.runtime.engine.cpu.threads;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Assigns each piece of a kernel's range to one thread. The pieces of a thread are neighbours, and they are the same in each kernel with
 * the same number of pieces. So the processor's cache may still hold them from the previous kernel. A thread that has finished its pieces
 * takes remaining pieces of other threads.
 */
final class WorkChunks {
    /** The distance between two counters, in ints. Processors fetch cache lines in pairs. */
    private static final int APART = 32;

    private final int count;
    private final int threads;
    private final int own;
    /** For each thread, the number of its pieces that were requested. */
    private final AtomicIntegerArray taken;

    WorkChunks(int count, int threads) {
        this.count = count;
        this.threads = threads;
        own = Math.ceilDiv(count, threads);
        taken = new AtomicIntegerArray(threads * APART);
    }

    int count() {
        return count;
    }

    /** Returns the next piece for the given thread; negative if all pieces are taken. */
    int next(int thread) {
        for (int distance = 0; distance < threads; distance++) {
            int piece = of((thread + distance) % threads);
            if (piece >= 0) {
                return piece;
            }
        }
        return -1;
    }

    private int of(int owner) {
        int first = owner * own;
        int max = Math.min(own, count - first);
        int counter = owner * APART;
        // The counter is read first, because a thread writes to it only if it may get a piece.
        if (taken.get(counter) >= max) {
            return -1;
        }
        int number = taken.getAndIncrement(counter);
        return number < max ? first + number : -1;
    }
}
