package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.blas.MatrixType;

/**
 * The largest allowed error of a computed matrix product. A sum of k products in 32 bits, in any order, has an error of at most
 * {@code k u} times the sum of the products' absolute values (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). Here u is
 * 2^-23, because tensor cores truncate instead of rounding. Rounding the sum to the result's type adds half a unit in its last place.
 */
final class ProductBound {
    private static final double SUM_ROUNDING = 0x1p-23;

    private ProductBound() {}

    /**
     * @param k the number of products in the sum
     * @param exact the exact sum
     * @param sizes the sum of the products' absolute values
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

    /**
     * Returns the largest rounding error of a subnormal result: for float16 half of its last place, which has the same size for all
     * subnormals, and 0 for the other types.
     */
    private static double smallest(MatrixType type) {
        return switch (type) {
            case FLOAT32, BFLOAT16 -> 0;
            case FLOAT16 -> 0x1p-25;
        };
    }
}
