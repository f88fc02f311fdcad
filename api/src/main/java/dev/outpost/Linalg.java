package dev.outpost;

import dev.outpost.protocol.fault.OpException;
import dev.outpost.protocol.op.Cholesky;
import dev.outpost.protocol.types.Shape;

/**
 * Linear algebra on the last two dimensions, matrix by matrix over the others (torch.linalg). Float32 and float64; matrices that a
 * method cannot take are refused when they are computed, with the place in the batch of the first of them, unless its name ends
 * in {@code Ex}: then an int32 of each matrix says what is wrong with it, 0 where nothing is.
 */
public final class Linalg {
    /** What was computed of each matrix, and what is wrong with the matrix (int32, 0: nothing). */
    public record Checked(Tensor result, Tensor info) {}

    /**
     * LU factors in one matrix.
     *
     * @param lu L below the diagonal, whose own is of ones, and U
     * @param pivots with what row, counted from 1, each row was exchanged in turn (int32)
     */
    public record LuFactors(Tensor lu, Tensor pivots) {}

    /**
     * LU factors in one matrix, also of what is singular.
     *
     * @param info int32, the number of the first zero on U's diagonal, or 0
     */
    public record LuFactorsAndInfo(Tensor lu, Tensor pivots, Tensor info) {}

    /** A matrix as {@code p l u}: an exchange of rows, a lower triangle with ones on its diagonal, and an upper triangle. */
    public record Lu(Tensor p, Tensor l, Tensor u) {}

    /** A determinant as {@code sign · exp(logabsdet)}. */
    public record SignAndLogarithm(Tensor sign, Tensor logabsdet) {}

    private Linalg() {}

    // ---- Cholesky

    /** The lower triangle L of {@code A = L Lᵀ}; symmetric positive definite matrices, of which the lower triangle is read. */
    public static Tensor cholesky(Tensor matrices) {
        return cholesky(matrices, false);
    }

    /** As {@link #cholesky(Tensor)}; with {@code upper} the U of {@code A = Uᵀ U}, by A's upper triangle. */
    public static Tensor cholesky(Tensor matrices, boolean upper) {
        return cholesky(matrices, upper, true).result();
    }

    /** As {@link #cholesky(Tensor, boolean)}; info is the number of the first leading minor that is not positive. */
    public static Checked choleskyEx(Tensor matrices, boolean upper) {
        return cholesky(matrices, upper, false);
    }

    private static Checked cholesky(Tensor matrices, boolean upper, boolean checked) {
        LinearSystems.requireSquare("cholesky", matrices);
        Tensor[] results = Dispatch.applyAll(new Cholesky(checked), upper ? matrices.mT() : matrices);
        return new Checked(upper ? results[0].mT() : results[0], results[1]);
    }

    /** The x of {@code A x = b} by A's Cholesky factor, of which only the triangle is read; batches broadcast. */
    public static Tensor choleskySolve(Tensor b, Tensor factor, boolean upper) {
        return CholeskySolution.of(b, factor, upper);
    }

    /** The inverse of A by its Cholesky factor. */
    public static Tensor choleskyInverse(Tensor factor, boolean upper) {
        LinearSystems.requireSquare("cholesky_inverse", factor);
        return choleskySolve(LinearSystems.unit(factor), factor, upper);
    }

    // ---- triangles

    /** The x of {@code A x = b}, where only a triangle of A counts; batches broadcast. */
    public static Tensor solveTriangular(Tensor a, Tensor b, boolean upper) {
        return solveTriangular(a, b, upper, true, false);
    }

    /**
     * As {@link #solveTriangular(Tensor, Tensor, boolean)}.
     *
     * @param left false for the x of {@code x A = b}
     * @param unitriangular whether A's diagonal counts as ones
     */
    public static Tensor solveTriangular(Tensor a, Tensor b, boolean upper, boolean left, boolean unitriangular) {
        LinearSystems.requireSquare("solve_triangular", a);
        LinearSystems.requireMatrices("solve_triangular", b);
        Tensor triangles = left ? a : a.mT();
        Tensor right = left ? b : b.mT();
        LinearSystems.requireFitting("solve_triangular", triangles, right);
        Shape batch = LinearSystems.commonBatch("solve_triangular", a, b);
        Tensor x = FactorGradients.solve(
                upper == left,
                unitriangular,
                LinearSystems.expanded(triangles, batch, 2),
                LinearSystems.expanded(right, batch, 2));
        return left ? x : x.mT();
    }

    // ---- LU

    /** The LU factors of matrices of any shape; where U has a zero on its diagonal they are refused. */
    public static LuFactors luFactor(Tensor matrices) {
        Tensor[] results = LinearSystems.factor(LinearSystems.requireMatrices("lu_factor", matrices), true);
        return new LuFactors(results[0], results[1]);
    }

    /** As {@link #luFactor}, and of singular matrices as well. */
    public static LuFactorsAndInfo luFactorEx(Tensor matrices) {
        Tensor[] results = LinearSystems.factor(LinearSystems.requireMatrices("lu_factor", matrices), false);
        return new LuFactorsAndInfo(results[0], results[1], results[2]);
    }

    /** {@code A = p l u}, of matrices of any shape. */
    public static Lu lu(Tensor matrices) {
        LuFactorsAndInfo factors = luFactorEx(matrices);
        return luUnpack(factors.lu(), factors.pivots());
    }

    /** The three matrices that {@link #luFactor} keeps in two. */
    public static Lu luUnpack(Tensor lu, Tensor pivots) {
        LinearSystems.requireMatrices("lu_unpack", lu);
        long steps = Math.min(lu.size(-1), lu.size(-2));
        return new Lu(
                LinearSystems.permutation(lu, pivots),
                LinearSystems.unitLower(lu),
                lu.narrow(-2, 0, steps).triu());
    }

    /** The x of {@code A x = b} by A's LU factors; batches broadcast. */
    public static Tensor luSolve(Tensor lu, Tensor pivots, Tensor b) {
        return luSolve(lu, pivots, b, true, false);
    }

    /**
     * As {@link #luSolve(Tensor, Tensor, Tensor)}.
     *
     * @param left false for the x of {@code x A = b}
     * @param adjoint whether Aᵀ takes A's place
     */
    public static Tensor luSolve(Tensor lu, Tensor pivots, Tensor b, boolean left, boolean adjoint) {
        LinearSystems.requireMatrices("lu_solve", b);
        return left
                ? LinearSystems.solve(lu, pivots, b, adjoint)
                : LinearSystems.solve(lu, pivots, b.mT(), !adjoint).mT();
    }

    // ---- systems

    /** The x of {@code A x = b}; b may be vectors, and batches broadcast. A singular A is refused. */
    public static Tensor solve(Tensor a, Tensor b) {
        return solve(a, b, true);
    }

    /** As {@link #solve(Tensor, Tensor)}; with {@code left} false the x of {@code x A = b}. */
    public static Tensor solve(Tensor a, Tensor b, boolean left) {
        LinearSystems.requireMatrices("solve", a);
        return left
                ? LinearSystems.solve("solve", a, b, true)[0]
                : solve(a.mT(), matrices(a, b).mT()).mT();
    }

    private static Tensor matrices(Tensor a, Tensor b) {
        if (LinearSystems.isVectors(a, b)) {
            throw new OpException("solve", "vectors stand on the right only, got " + a.shape() + " and " + b.shape());
        }
        return LinearSystems.requireMatrices("solve", b);
    }

    /** As {@link #solve(Tensor, Tensor)}, and what is not finite for a singular A. */
    public static Checked solveEx(Tensor a, Tensor b) {
        Tensor[] results = LinearSystems.solve("solve", a, b, false);
        return new Checked(results[0], results[1]);
    }

    /** The inverse; a singular matrix is refused. */
    public static Tensor inv(Tensor matrices) {
        return inverse(matrices, true).result();
    }

    /** As {@link #inv}, and what is not finite for a singular matrix. */
    public static Checked invEx(Tensor matrices) {
        return inverse(matrices, false);
    }

    private static Checked inverse(Tensor matrices, boolean checked) {
        LinearSystems.requireSquare("inv", matrices);
        Tensor[] results = LinearSystems.solve("inv", matrices, LinearSystems.unit(matrices), checked);
        return new Checked(results[0], results[1]);
    }

    // ---- determinants

    public static Tensor det(Tensor matrices) {
        return Determinants.det(matrices);
    }

    /** Sign and logarithm of the determinant, which may be too large or too small to be told itself. */
    public static SignAndLogarithm slogdet(Tensor matrices) {
        Tensor[] results = Determinants.slogdet(matrices);
        return new SignAndLogarithm(results[0], results[1]);
    }

    /** The logarithm of the determinant; NaN where that is negative. */
    public static Tensor logdet(Tensor matrices) {
        SignAndLogarithm result = slogdet(matrices);
        return result.sign().detach().log().add(result.logabsdet());
    }
}
