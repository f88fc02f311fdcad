package dev.outpost.runtime.session.run;

import dev.outpost.runtime.memory.Array;
import java.util.SplittableRandom;

/**
 * Says whose time is measured. To read the clock twice takes as long as a product of two small matrices, so when a session has
 * run many quick kernels in a row, one in {@link #EVERY} of the small is measured and stands for as many. Which one is drawn, so
 * that no program's rhythm can hide what it does.
 */
public final class KernelClock {
    /** Elements of operands and results together: no operation on so few takes long. */
    private static final long SMALL = 1024;

    private static final long QUICK_NANOS = 10_000;
    /** Quick ones in a row before any is left out: a program of a few operations is measured as it is. */
    public static final int MANY = 64;

    public static final int EVERY = 8;

    private final SplittableRandom draws = new SplittableRandom(0);
    private int quick;

    /** How many kernels the time of the next one stands for; 0 where it is not to be measured. */
    public int weight(Array[] operands, Array[] results) {
        if (quick < MANY || elements(operands) + elements(results) > SMALL) {
            return 1;
        }
        return draws.nextInt(EVERY) == 0 ? EVERY : 0;
    }

    /** A kernel took so long. */
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
