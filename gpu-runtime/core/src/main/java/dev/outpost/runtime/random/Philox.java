package dev.outpost.runtime.random;

/**
 * Philox 4x32-10, a counter-based generator: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2,
 * 3", SC 2011. Every engine draws through this mapping from element to bits:
 *
 * <ul>
 *   <li>The key is the seed, the counter is (block, call), low words first.
 *   <li>A 32-bit draw of element i is word {@code i % 4} of block {@code i / 4}.
 *   <li>A 64-bit draw of element i is words {@code 2 * (i % 2)} (low) and the next (high) of block {@code i / 2}.
 * </ul>
 */
public final class Philox {
    private static final int MULTIPLIER_0 = 0xD2511F53;
    private static final int MULTIPLIER_1 = 0xCD9E8D57;
    private static final int WEYL_0 = 0x9E3779B9;
    private static final int WEYL_1 = 0xBB67AE85;
    private static final int ROUNDS = 10;

    private Philox() {}

    /** Computes the four words of one block. */
    public static void block(long seed, long call, long block, int[] out) {
        int c0 = (int) block;
        int c1 = (int) (block >>> 32);
        int c2 = (int) call;
        int c3 = (int) (call >>> 32);
        int k0 = (int) seed;
        int k1 = (int) (seed >>> 32);
        for (int round = 0; round < ROUNDS; round++) {
            long product0 = Integer.toUnsignedLong(MULTIPLIER_0) * Integer.toUnsignedLong(c0);
            long product1 = Integer.toUnsignedLong(MULTIPLIER_1) * Integer.toUnsignedLong(c2);
            c0 = (int) (product1 >>> 32) ^ c1 ^ k0;
            c1 = (int) product1;
            c2 = (int) (product0 >>> 32) ^ c3 ^ k1;
            c3 = (int) product0;
            k0 += WEYL_0;
            k1 += WEYL_1;
        }
        out[0] = c0;
        out[1] = c1;
        out[2] = c2;
        out[3] = c3;
    }

    /** Converts a 32-bit draw to a float in [0, 1) from its upper 24 bits. */
    public static float uniformFloat(int word) {
        return (word >>> 8) * 0x1p-24f;
    }

    /**
     * Converts a 32-bit draw to a float in [0, 1) from its upper bits.
     *
     * @param bits at most 24, and not more than a narrower format's significand holds: more could round up to 1
     */
    public static float uniformFloat(int word, int bits) {
        return (word >>> (32 - bits)) / (float) (1 << bits);
    }

    /** Converts a 64-bit draw to a double in [0, 1) from its upper 53 bits. */
    public static double uniformDouble(int low, int high) {
        return (bits(low, high) >>> 11) * 0x1p-53;
    }

    /** Converts a 64-bit draw to a standard normal number, by Box and Muller's cosine branch. */
    public static double normal(int low, int high) {
        double radius = Math.sqrt(-2 * Math.log((Integer.toUnsignedLong(low) + 1) * 0x1p-32));
        return radius * Math.cos(2 * Math.PI * (Integer.toUnsignedLong(high) * 0x1p-32));
    }

    /** Converts a 64-bit draw to an integer in [low, high), by multiplication (Lemire 2019). */
    public static long integer(int lowWord, int highWord, long low, long high) {
        return low + Math.unsignedMultiplyHigh(bits(lowWord, highWord), high - low);
    }

    private static long bits(int low, int high) {
        return Integer.toUnsignedLong(high) << 32 | Integer.toUnsignedLong(low);
    }
}
