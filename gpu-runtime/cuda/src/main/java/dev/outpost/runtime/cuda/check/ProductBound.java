package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.blas.MatrixType;

/**
 * How far a computed matrix product may be from the exact one. A sum of k products in 32 bits, in whatever order, is off
 * by at most {@code k u} times the sum of the products' sizes (Higham, Accuracy and Stability of Numerical Algorithms,
 * 3.1); u is 2^-23 because tensor cores cut off where others round. Rounding the sum to the result's type adds half a
 * unit in its last place.
 */
final class ProductBound {
    private static final double SUM_ROUNDING = 0x1p-23;

    private ProductBound() {}

    /**
     * @param k how many products are summed up
     * @param exact the sum
     * @param sizes the sum of the products' sizes
     */
    static double of(MatrixType type, int k, double exact, double sizes) {
        return k * SUM_ROUNDING * sizes + resultRounding(type) * Math.abs(exact) + smallest(type);
    }

    private static double resultRounding(MatrixType type) {
        return switch (type) {
            case FLOAT32 -> 0;
            case FLOAT16 -> 0x1p-11;
            case BFLOAT16 -> 0x1p-8;
        };
    }

    /** Below the normal numbers of 16 bits the last place has a fixed size. */
    private static double smallest(MatrixType type) {
        return switch (type) {
            case FLOAT32, BFLOAT16 -> 0;
            case FLOAT16 -> 0x1p-25;
        };
    }
}
