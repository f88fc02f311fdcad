package dev.outpost.runtime.engine.factorization;

/** The routines for one matrix, which is not empty. Operands are not changed, and may have any strides. */
public interface Routines {
    /**
     * Stores the lower triangle L of {@code a = L Lᵀ}, and zeros above it.
     *
     * @param a finite in its lower triangle; only this triangle is read
     * @return 0, or the number, from 1 on, of the first leading minor that is not positive; then the result is undefined
     */
    int cholesky(MatrixView a, MatrixView result);

    /**
     * Stores L and U of {@code P a = L U} in one matrix.
     *
     * @param a finite
     * @param pivots the row with which each row was exchanged, from 1 on
     */
    void lu(MatrixView a, MatrixView result, int[] pivots);

    /** Stores the x of {@code a x = b} for a triangular matrix a. */
    void solveTriangular(boolean upper, boolean unit, MatrixView a, MatrixView b, MatrixView x);

    /**
     * Stores the R of {@code a = q r} on and above the diagonal, and the reflections whose product is q below it, like LAPACK's geqrf.
     *
     * @param a finite
     * @param factors the factors of the reflections
     */
    void reflections(MatrixView a, MatrixView packed, double[] factors);

    /** Stores the first columns of the product of reflections. */
    void product(MatrixView packed, double[] factors, MatrixView q);

    /**
     * Computes eigenvalues in ascending order, and vectors of length 1 as columns.
     *
     * @param a finite in its lower triangle; only this triangle is read
     * @param vectors null if they are not requested
     * @return true if the iteration converged
     */
    boolean eigenvalues(MatrixView a, double[] values, MatrixView vectors);

    /**
     * Computes the eigenvalues of any square matrix, in any order, and vectors as columns.
     *
     * @param a finite
     * @param real the real parts of eigenvalues
     * @param imaginary their imaginary parts; of two conjugate ones the positive comes first
     * @param vectors null if they are not requested. A real eigenvalue has one column. Two conjugate ones have two columns: the real and
     *     the imaginary part of the first one's vector
     * @return true if the iteration converged
     */
    boolean eigenvalues(MatrixView a, double[] real, double[] imaginary, MatrixView vectors);

    /**
     * Computes singular values in descending order, and vectors of length 1, as many as the matrices have room for.
     *
     * @param a finite
     * @param u vectors as columns; null if vectors are not requested
     * @param vh vectors as rows
     * @return true if the iteration converged
     */
    boolean singularValues(MatrixView a, double[] values, MatrixView u, MatrixView vh);
}
