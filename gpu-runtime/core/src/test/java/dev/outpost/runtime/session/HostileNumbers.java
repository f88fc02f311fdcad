package dev.outpost.runtime.session;

import dev.outpost.types.DType;
import java.util.random.RandomGenerator;

/** Draws ordinary numbers and numbers that often cause errors. */
final class HostileNumbers {
    private static final long[] SIZES = {
        0,
        64,
        1000,
        1 << 16,
        1 << 20,
        Integer.MAX_VALUE,
        1L << 31,
        1L << 32,
        1L << 40,
        1L << 61,
        1L << 62,
        Long.MAX_VALUE,
        -1,
        Long.MIN_VALUE
    };
    private static final DType[] DTYPES = DType.values();

    private final RandomGenerator random;

    HostileNumbers(RandomGenerator random) {
        this.random = random;
    }

    boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    DType dtype() {
        return oneIn(2) ? DType.FLOAT32 : DTYPES[below(DTYPES.length)];
    }

    /** Mostly small. */
    long size() {
        return oneIn(30) ? any() : 1 + below(4);
    }

    long any() {
        return SIZES[below(SIZES.length)] + (oneIn(4) ? below(3) - 1 : 0);
    }

    /** Draws the sizes of a shape, without invalid ones. */
    long[] sizes() {
        int rank = oneIn(60) ? below(66) : below(4);
        long[] sizes = new long[rank];
        for (int dim = 0; dim < rank; dim++) {
            sizes[dim] = rank > 4 && !oneIn(40) ? 1 : size();
        }
        return rank > 1 && oneIn(12) ? hollow(sizes) : sizes;
    }

    /** Changes one size to 0 and a neighbouring one to a huge number. */
    private long[] hollow(long[] sizes) {
        int at = below(sizes.length - 1);
        sizes[at] = oneIn(2) ? 0 : 1L << 61;
        sizes[at + 1] = sizes[at] == 0 ? 1L << 61 : 0;
        return sizes;
    }

    long[] strides(int rank) {
        long[] strides = new long[rank];
        for (int dim = 0; dim < rank; dim++) {
            strides[dim] = oneIn(40) ? any() : below(3);
        }
        return strides;
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int index = 0; index < length; index++) {
            bytes[index] = (byte) random.nextInt();
        }
        return bytes;
    }

    double real() {
        return oneIn(4) ? Double.longBitsToDouble(random.nextLong()) : random.nextGaussian();
    }

    long bits() {
        return random.nextLong();
    }
}
