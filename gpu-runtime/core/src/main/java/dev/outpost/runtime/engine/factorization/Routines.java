package dev.outpost.runtime.engine.factorization;

/** The routines for one matrix, which has elements. Operands stay as they are, and may lie in any way. */
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

    /**
     * Stores the R of {@code a = q r} on the diagonal and above, and the reflections whose product q is below, as LAPACK's geqrf.
     *
     * @param a finite
     * @param factors those of the reflections
     */
    void reflections(MatrixView a, MatrixView packed, double[] factors);

    /** Stores the first columns of the product of reflections. */
    void product(MatrixView packed, double[] factors, MatrixView q);

    /**
     * Finds eigenvalues, ascending, and vectors of length 1 as columns.
     *
     * @param a finite in its lower triangle, which alone is read
     * @param vectors null where nobody wants them
     * @return whether it converged
     */
    boolean eigenvalues(MatrixView a, double[] values, MatrixView vectors);

    /**
     * Finds the eigenvalues of any square matrix, in any order, and vectors as columns.
     *
     * @param a finite
     * @param real the real parts of eigenvalues
     * @param imaginary their imaginary parts; of two conjugate ones the positive comes first
     * @param vectors null where nobody wants them. Of a real eigenvalue a column; of two conjugate ones the real part of the first one's
     *     vector and its imaginary part, in two columns
     * @return whether it converged
     */
    boolean eigenvalues(MatrixView a, double[] real, double[] imaginary, MatrixView vectors);

    /**
     * Finds singular values, descending, and vectors of length 1: as many as there is room for.
     *
     * @param a finite
     * @param u columns; null where nobody wants vectors
     * @param vh rows
     * @return whether it converged
     */
    boolean singularValues(MatrixView a, double[] values, MatrixView u, MatrixView vh);
}
