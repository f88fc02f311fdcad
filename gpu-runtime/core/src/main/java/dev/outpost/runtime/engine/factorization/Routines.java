package dev.outpost.runtime.engine.factorization;

/** What is done with one matrix, which has elements. Operands stay as they are, and may lie in any way. */
public interface Routines {
    /**
     * Stores the lower triangle L of {@code a = L Lᵀ}, and zeros above it.
     *
     * @param a finite in its lower triangle, which alone is read
     * @return 0, or the number, from 1 on, of the first leading minor that is not positive; then the result is undefined
     */
    int cholesky(MatrixView a, MatrixView result);

    /**
     * Stores L and U of {@code P a = L U} in one matrix.
     *
     * @param a finite
     * @param pivots what each row was exchanged with, from 1 on
     */
    void lu(MatrixView a, MatrixView result, int[] pivots);

    /** Stores the x of {@code a x = b}, where a is a triangle. */
    void solveTriangular(boolean upper, boolean unit, MatrixView a, MatrixView b, MatrixView x);
}
