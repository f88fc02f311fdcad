package dev.outpost.runtime.session.run;

import dev.outpost.runtime.memory.Array;
import java.util.SplittableRandom;

/**
 * Decides which kernels are timed. Reading the clock twice takes as long as a product of two small matrices. So after
 * many quick kernels in a row, only one of {@link #EVERY} small kernels is timed, and its time counts for all of
 * them. The kernel is chosen at random, so that a regular pattern of the program does not bias the measurement.
 */
public final class KernelClock {
    /**
     * The maximum number of elements of operands and results of a small kernel. No operation on so few elements takes
     * long.
     */
    private static final long SMALL = 1024;

    private static final long QUICK_NANOS = 10_000;
    /**
     * The number of consecutive quick kernels after which sampling begins. All kernels of a program with few
     * operations are timed.
     */
    public static final int MANY = 64;

    public static final int EVERY = 8;

    private final SplittableRandom draws = new SplittableRandom(0);
    private int quick;

    /** Returns the number of kernels for which the time of the next kernel counts; 0 if it is not timed. */
    public int weight(Array[] operands, Array[] results) {
        if (quick < MANY || elements(operands) + elements(results) > SMALL) {
            return 1;
        }
        return draws.nextInt(EVERY) == 0 ? EVERY : 0;
    }

    /** Records the time of a kernel. */
    public void measured(long nanos) {
        quick = nanos < QUICK_NANOS ? Math.min(quick + 1, MANY) : 0;
    }

    private static long elements(Array[] arrays) {
        long elements = 0;
        for (Array array : arrays) {
            elements += array.shape().elements();
        }
        return elements;
    }
}
