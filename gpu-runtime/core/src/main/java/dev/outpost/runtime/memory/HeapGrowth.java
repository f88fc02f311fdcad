package dev.outpost.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Grows the heap in small steps before a large array is allocated. The JVM clears a new array in one step without a
 * safepoint, so every thread that has to collect garbage, and every thread that then allocates, waits until it is
 * done. Memory that the process has never used is provided by the system page by page, which takes seconds for a
 * gigabyte. Memory that the process has used before is cleared in about 20 ms for each gigabyte. So the process first
 * uses as much memory as the array needs, in pieces, with safepoints between them.
 *
 * <p>If the free memory is fragmented, the JVM may still take new memory for the array itself.
 */
final class HeapGrowth {
    /** The smallest array in bytes for which the heap is prepared. Smaller ones are cleared quickly enough. */
    static final long LARGE = 256L << 20;

    private static final int STEP = 32 << 20;
    /** The size of a piece. Together with its header, it fits into a region of the G1 collector. */
    private static final int PIECE = STEP - 64;

    /** One thread at a time prepares the heap, because two threads would take each other's memory. */
    private static final ReentrantLock LOCK = new ReentrantLock();

    /** Allocates a large object. */
    @FunctionalInterface
    interface Maker<T> {
        T make();
    }

    private HeapGrowth() {}

    /** Allocates an array of this size in bytes. Fails as {@code maker} does. */
    static <T> T before(long bytes, Maker<T> maker) {
        if (bytes < LARGE) {
            return maker.make();
        }
        LOCK.lock();
        try {
            if (grow(missing(bytes))) {
                // Frees the pieces immediately, so that the array takes their place.
                System.gc();
            }
            return maker.make();
        } finally {
            LOCK.unlock();
        }
    }

    /** Returns the number of these bytes that are not free, limited to the number by which the heap may grow. */
    private static long missing(long bytes) {
        Runtime runtime = Runtime.getRuntime();
        return Math.min(bytes - runtime.freeMemory(), runtime.maxMemory() - runtime.totalMemory());
    }

    /** Uses this number of bytes. Returns true if it used any. */
    private static boolean grow(long bytes) {
        List<byte[]> pieces = new ArrayList<>();
        try {
            for (long left = bytes; left > 0; left -= STEP) {
                pieces.add(new byte[PIECE]);
            }
        } catch (OutOfMemoryError ignored) {
            // The heap cannot grow further. The maker fails if the array does not fit.
            pieces.clear();
            return true;
        }
        return !pieces.isEmpty();
    }
}
