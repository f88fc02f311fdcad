package dev.outpost.runtime.engine.cpu.window;

import dev.outpost.runtime.engine.cpu.tile.WarmupTileOp;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import dev.outpost.runtime.engine.cpu.vector.WarmupSwitch;
import java.util.Arrays;

/**
 * Finds the largest elements of all windows of a plane at once: each step compares one further element of every
 * window. A separate loop over each small window would be mostly overhead.
 */
final class FloatPools {
    private static final WarmupSwitch WARMUP = new WarmupSwitch();

    private FloatPools() {}

    /**
     * Finds the largest elements and their indices in the plane.
     *
     * @param from the index of the plane's first element
     * @param looks for each element of the window, its index in the plane for each window position
     * @param at the index of the first value; indices are written from 0 on
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

    /** Computes {@link #largest} with vectors, for at least as many windows as fill a register. */
    static void vectors(float[] elements, int from, int[][] looks, float[] values, int at, int[] indices) {
        System.arraycopy(looks[0], 0, indices, 0, indices.length);
        for (int window = 0; window < indices.length; window++) {
            values[at + window] = elements[from + indices[window]];
        }
        for (int look = 1; look < looks.length; look++) {
            VectorPools.compare(elements, from, looks[look], values, at, indices);
        }
    }

    /** Computes {@link #largest} without vectors. */
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
     * Returns a number that orders elements. It is larger for a larger element, and largest for NaN. The first of two equal elements has
     * the larger number. Zeros are equal. The comparison of two elements is practically random, so a branch would be mispredicted half of
     * the time, while the maximum of two numbers is one instruction. The lower half of the number is the inverted index.
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
