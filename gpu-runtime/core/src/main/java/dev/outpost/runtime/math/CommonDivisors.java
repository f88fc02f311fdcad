package dev.outpost.runtime.math;

/** Greatest common divisors by Euclid's algorithm. The smallest integer is treated as its magnitude without a sign. */
public final class CommonDivisors {
    private CommonDivisors() {}

    public static int of(int first, int second) {
        int large = Math.abs(first);
        int small = Math.abs(second);
        while (small != 0) {
            int rest = Integer.remainderUnsigned(large, small);
            large = small;
            small = rest;
        }
        return large;
    }

    public static long of(long first, long second) {
        long large = Math.abs(first);
        long small = Math.abs(second);
        while (small != 0) {
            long rest = Long.remainderUnsigned(large, small);
            large = small;
            small = rest;
        }
        return large;
    }
}
