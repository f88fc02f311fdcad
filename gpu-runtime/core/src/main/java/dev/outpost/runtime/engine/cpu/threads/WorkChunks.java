package dev.outpost.runtime.engine.cpu.threads;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Hands out the pieces of a kernel's range, each once. A thread's own are neighbours, and of each kernel of as many pieces the
 * same: what its processor's cache still holds of the kernel before is what it asks for next. Who is through with its own takes
 * what others have left.
 */
final class WorkChunks {
    /** Between two counters, in ints: processors fetch cache lines in pairs. */
    private static final int APART = 32;

    private final int count;
    private final int threads;
    private final int own;
    /** By thread, how many of its own were asked for. */
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

    /** The next piece for the thread of that number; negative when all are taken. */
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
        // Looked at first: it is written by those only who may get one.
        if (taken.get(counter) >= max) {
            return -1;
        }
        int number = taken.getAndIncrement(counter);
        return number < max ? first + number : -1;
    }
}
