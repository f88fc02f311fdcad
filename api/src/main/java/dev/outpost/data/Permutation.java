package dev.outpost.data;

import java.util.stream.IntStream;

/**
 * Random orders that are the same on every JVM: Fisher and Yates's shuffle, fed by SplitMix64 (Steele et al., "Fast
 * splittable pseudorandom number generators", 2014).
 */
public final class Permutation {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private Permutation() {}

    /** Returns the numbers 0 to {@code size - 1} in an order that depends on the seed. */
    public static int[] of(int size, long seed) {
        int[] order = IntStream.range(0, size).toArray();
        long state = seed;
        for (int last = size - 1; last > 0; last--) {
            state += GOLDEN_GAMMA;
            int chosen = (int) Math.unsignedMultiplyHigh(mix(state), last + 1L);
            int swapped = order[last];
            order[last] = order[chosen];
            order[chosen] = swapped;
        }
        return order;
    }

    /** Returns the seed of one of a series of orders. */
    static long derive(long seed, long number) {
        return mix(mix(seed + GOLDEN_GAMMA) + number * GOLDEN_GAMMA);
    }

    /** Returns the finalizer of SplitMix64. */
    private static long mix(long bits) {
        long mixed = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
