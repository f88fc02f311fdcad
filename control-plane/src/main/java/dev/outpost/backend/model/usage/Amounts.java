package dev.outpost.backend.model.usage;

/**
 * Sums and products of amounts that are 0 or more. A result beyond the largest number is the largest number. Such a number exceeds every
 * bound, and pages can still show it.
 */
public final class Amounts {
    private Amounts() {}

    public static long plus(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    public static long times(long one, long other) {
        boolean isTooLarge = Math.multiplyHigh(one, other) != 0 || one * other < 0;
        return isTooLarge ? Long.MAX_VALUE : one * other;
    }
}
