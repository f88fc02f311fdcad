package dev.outpost.models.sampling;

/** Numbers from 0 to below 1, by which tokens are drawn. They come from the client, so that engines draw the same. */
public final class SamplingRandom {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private SamplingRandom() {}

    /**
     * Of one token of a text: by its number alone, so that a text that is computed again, or beside others, goes on as it would have
     * (SplitMix64; Steele et al., 2014).
     *
     * @return 24 bits, so that it is below 1 as a float, too
     */
    public static float of(long seed, int number) {
        long mixed = seed + GOLDEN * (number + 1L);
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        mixed ^= mixed >>> 31;
        return (mixed >>> 40) * 0x1p-24f;
    }
}
