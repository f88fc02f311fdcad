package dev.outpost.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes the heap grow in small steps before a large array is made. The JVM clears a new array in one go, and reaches no safepoint
 * meanwhile: every thread that wants to collect garbage, and with it every thread that allocates, waits until it is done. Memory
 * that the process has never used comes from the system page by page, which takes seconds a gigabyte; memory that it has used before
 * is cleared in some 20 ms a gigabyte. So the process first uses as much memory as the array needs, in pieces between which safepoints
 * are reached.
 *
 * <p>Where the room that there is lies in pieces, the JVM may still take new memory for the array itself.
 */
final class HeapGrowth {
    /** Arrays of at least so many bytes are prepared for; smaller ones are cleared soon enough. */
    static final long LARGE = 256L << 20;

    private static final int STEP = 32 << 20;
    /** With its header a piece still fits a region of the G1 collector. */
    private static final int PIECE = STEP - 64;

    /** One at a time: two that prepare would take each other's room. */
    private static final ReentrantLock LOCK = new ReentrantLock();

    /** Makes something large. */
    @FunctionalInterface
    interface Maker<T> {
        T make();
    }

    private HeapGrowth() {}

    /** Makes what takes so many bytes of heap in one array; fails as {@code maker} does. */
    static <T> T before(long bytes, Maker<T> maker) {
        if (bytes < LARGE) {
            return maker.make();
        }
        LOCK.lock();
        try {
            if (grow(missing(bytes))) {
                // Gives the pieces back at once, so that the array takes their place.
                System.gc();
            }
            return maker.make();
        } finally {
            LOCK.unlock();
        }
    }

    /** The bytes that are missing of so many, and the most by which the heap may grow. */
    private static long missing(long bytes) {
        Runtime runtime = Runtime.getRuntime();
        return Math.min(bytes - runtime.freeMemory(), runtime.maxMemory() - runtime.totalMemory());
    }

    /** Uses so many bytes; whether anything was used. */
    private static boolean grow(long bytes) {
        List<byte[]> pieces = new ArrayList<>();
        try {
            for (long left = bytes; left > 0; left -= STEP) {
                pieces.add(new byte[PIECE]);
            }
        } catch (OutOfMemoryError ignored) {
            // The heap is as large as it gets. Whether the array has room is found out by who makes it.
            pieces.clear();
            return true;
        }
        return !pieces.isEmpty();
    }
}
