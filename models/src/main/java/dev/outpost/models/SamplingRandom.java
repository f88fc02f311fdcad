package dev.outpost.models;

/**
 * Numbers from 0, inclusive, to 1, exclusive, that select tokens. The client computes them, so that all engines
 * choose the same tokens.
 */
public final class SamplingRandom {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private SamplingRandom() {}

    /**
     * Returns the number for one token of a text. It depends only on the seed and the token's index, so a text that
     * is computed again, or together with other texts, gets the same numbers (SplitMix64; Steele et al., 2014).
     *
     * @return a value with 24 bits, so that it is also below 1 as a float
     */
    public static float of(long seed, int number) {
        long mixed = seed + GOLDEN * (number + 1L);
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        mixed ^= mixed >>> 31;
        return (mixed >>> 40) * 0x1p-24f;
    }
}
