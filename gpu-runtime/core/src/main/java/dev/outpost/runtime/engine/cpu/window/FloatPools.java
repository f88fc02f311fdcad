package dev.outpost.runtime.engine.cpu.window;

import dev.outpost.runtime.engine.cpu.tile.WarmupTileOp;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import dev.outpost.runtime.engine.cpu.vector.WarmupSwitch;
import java.util.Arrays;

/**
 * The largest elements of all windows of a plane together, an element of each at a time: a loop over a window of a few elements
 * is mostly its own cost.
 */
final class FloatPools {
    private static final WarmupSwitch WARMUP = new WarmupSwitch();

    private FloatPools() {}

    /**
     * Finds the largest elements and their places in the plane.
     *
     * @param from where the plane begins
     * @param looks for each element of the window, where it is in each window's plane
     * @param at where the first value goes; places go from 0 on
     */
    static void largest(float[] elements, int from, int[][] looks, float[] values, int at, int[] indices) {
        if (!Vectors.PRESENT || indices.length < WarmupTileOp.MIN) {
            plain(elements, from, looks, values, at, indices);
        } else if (WARMUP.isDone()) {
            vectors(elements, from, looks, values, at, indices);
        } else {
            WARMUP.both(
                    indices.length,
                    indices.length,
                    (_, _) -> vectors(elements, from, looks, values, at, indices),
                    (_, _) -> plain(elements, from, looks, values, at, indices));
        }
    }

    /** The result of {@link #largest}, of as many windows as fill a register. */
    static void vectors(float[] elements, int from, int[][] looks, float[] values, int at, int[] indices) {
        System.arraycopy(looks[0], 0, indices, 0, indices.length);
        for (int window = 0; window < indices.length; window++) {
            values[at + window] = elements[from + indices[window]];
        }
        for (int look = 1; look < looks.length; look++) {
            VectorPools.compare(elements, from, looks[look], values, at, indices);
        }
    }

    /** The result of {@link #largest}, without vectors. */
    static void plain(float[] elements, int from, int[][] looks, float[] values, int at, int[] indices) {
        long[] best = new long[indices.length];
        Arrays.fill(best, Long.MIN_VALUE);
        for (int[] look : looks) {
            compare(elements, from, look, best);
        }
        for (int window = 0; window < best.length; window++) {
            indices[window] = place(best[window]);
            values[at + window] = elements[from + indices[window]];
        }
    }

    private static void compare(float[] elements, int from, int[] look, long[] best) {
        for (int window = 0; window < best.length; window++) {
            int place = look[window];
            best[window] = Math.max(best[window], ranked(elements[from + place], place));
        }
    }

    /**
     * A number that is larger for a larger element, largest for NaN, and of equal ones for the one that comes first; zeros
     * are equal. Which of two elements is the larger one is as good as random, and a branch on it would be guessed wrong as
     * often as not; the larger of two numbers is an instruction. Its lower half is the place with all bits turned.
     */
    static long ranked(float element, int place) {
        int bits = Float.floatToIntBits(element + 0f);
        int rank = bits ^ bits >> 31 & Integer.MAX_VALUE;
        return (long) rank << 32 | ~place & 0xFFFFFFFFL;
    }

    static int place(long ranked) {
        return ~(int) ranked;
    }
}
