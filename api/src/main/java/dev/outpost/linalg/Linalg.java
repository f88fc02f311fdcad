package dev.outpost.linalg;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.functions.CholeskySolution;
import dev.outpost.internal.functions.PseudoInverse;
import dev.outpost.internal.gradients.FactorGradients;
import dev.outpost.internal.linalg.Determinants;
import dev.outpost.internal.linalg.Householder;
import dev.outpost.internal.linalg.LinearSystems;
import dev.outpost.internal.linalg.MatrixExponential;
import dev.outpost.internal.linalg.MatrixNorms;
import dev.outpost.internal.linalg.MatrixTensors;
import dev.outpost.internal.linalg.OrthogonalFactors;
import dev.outpost.protocol.op.Ldl;
import dev.outpost.protocol.op.LdlSolve;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Linear algebra on the last two dimensions, matrix by matrix over the others (torch.linalg). Float32 and float64; matrices that a
 * method cannot take are refused when they are computed, with the place in the batch of the first of them, unless its name ends
 * in {@code Ex}: then an int32 of each matrix says what is wrong with it, 0 where nothing is.
 */
public final class Linalg {
    /** The result for each matrix, and the fault of the matrix (int32, 0: none). */
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
    public record Lu(Tensor p, Tensor l, Tensor u) {
        private List<Tensor> tensors() {
            return List.of(p, l, u);
        }
    }

    /** A determinant as {@code sign · exp(logabsdet)}. */
    public record SignAndLogarithm(Tensor sign, Tensor logabsdet) {}

    /** {@code A = q r} with orthonormal columns and an upper triangle. */
    public record Qr(Tensor q, Tensor r) {}

    /** R on the diagonal and above, reflections below, and the reflections' factors. */
    public record Reflections(Tensor a, Tensor tau) {}

    /** Eigenvalues, ascending, and eigenvectors as columns. */
    public record Eigh(Tensor eigenvalues, Tensor eigenvectors) {}

    /** {@code A = u diag(s) vh}: orthonormal columns, singular values, descending, and orthonormal rows. */
    public record Svd(Tensor u, Tensor s, Tensor vh) {}

    /**
     * The solution of least squares.
     *
     * @param solution the x, shortest where several come as near
     * @param residuals the squared distances of {@code A x} from b, column by column
     * @param rank int64, of A
     * @param singularValues A's, descending
     */
    public record LeastSquares(Tensor solution, Tensor residuals, Tensor rank, Tensor singularValues) {}

    private Linalg() {}

    private static List<Tensor> pair(Tensor[] results) {
        return List.of(results[0], results[1]);
    }

    // ---- Cholesky

    /** The lower triangle L of {@code A = L Lᵀ}; symmetric positive definite matrices, of which the lower triangle is read. */
    public static Tensor cholesky(Tensor matrices) {
        return cholesky(matrices, false);
    }

    /** As {@link #cholesky(Tensor)}; with {@code upper} the U of {@code A = Uᵀ U}, by A's upper triangle. */
    public static Tensor cholesky(Tensor matrices, boolean upper) {
        return Scope.tidy(() -> cholesky(matrices, upper, true).result());
    }

    /** As {@link #cholesky(Tensor, boolean)}; info is the number of the first leading minor that is not positive. */
    public static Checked choleskyEx(Tensor matrices, boolean upper) {
        return cholesky(matrices, upper, false);
    }

    private static Checked cholesky(Tensor matrices, boolean upper, boolean checked) {
        LinearSystems.requireSquare("cholesky", matrices);
        return Scope.tidy(
                () -> {
                    Tensor[] results = CholeskySolution.factor(upper ? matrices.mT() : matrices, checked);
                    return new Checked(upper ? results[0].mT() : results[0], results[1]);
                },
                result -> List.of(result.result(), result.info()));
    }

    /** The x of {@code A x = b} by A's Cholesky factor, of which only the triangle is read; batches broadcast. */
    public static Tensor choleskySolve(Tensor b, Tensor factor, boolean upper) {
        return Scope.tidy(() -> CholeskySolution.of(b, factor, upper));
    }

    /** The inverse of A by its Cholesky factor. */
    public static Tensor choleskyInverse(Tensor factor, boolean upper) {
        return Scope.tidy(() -> {
            LinearSystems.requireSquare("cholesky_inverse", factor);
            return choleskySolve(LinearSystems.unit(factor), factor, upper);
        });
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
        return Scope.tidy(() -> {
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
        });
    }

    // ---- LU

    /** The LU factors of matrices of any shape; where U has a zero on its diagonal they are refused. */
    public static LuFactors luFactor(Tensor matrices) {
        Tensor[] results = Scope.tidy(
                () -> LinearSystems.factor(LinearSystems.requireMatrices("lu_factor", matrices), true), Linalg::pair);
        return new LuFactors(results[0], results[1]);
    }

    /** As {@link #luFactor}, and of singular matrices as well. */
    public static LuFactorsAndInfo luFactorEx(Tensor matrices) {
        Tensor[] results = LinearSystems.factor(LinearSystems.requireMatrices("lu_factor", matrices), false);
        return new LuFactorsAndInfo(results[0], results[1], results[2]);
    }

    /** {@code A = p l u}, of matrices of any shape. */
    public static Lu lu(Tensor matrices) {
        return Scope.tidy(
                () -> {
                    LuFactorsAndInfo factors = luFactorEx(matrices);
                    return luUnpack(factors.lu(), factors.pivots());
                },
                Lu::tensors);
    }

    /** The three matrices that {@link #luFactor} keeps in two. */
    public static Lu luUnpack(Tensor lu, Tensor pivots) {
        LinearSystems.requireMatrices("lu_unpack", lu);
        long steps = Math.min(lu.size(-1), lu.size(-2));
        return Scope.tidy(
                () -> new Lu(
                        LinearSystems.permutation(lu, pivots),
                        LinearSystems.unitLower(lu),
                        lu.narrow(-2, 0, steps).triu()),
                Lu::tensors);
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
        return Scope.tidy(() -> {
            LinearSystems.requireMatrices("lu_solve", b);
            return left
                    ? LinearSystems.solve(lu, pivots, b, adjoint)
                    : LinearSystems.solve(lu, pivots, b.mT(), !adjoint).mT();
        });
    }

    // ---- systems

    /** The x of {@code A x = b}; b may be vectors, and batches broadcast. A singular A is refused. */
    public static Tensor solve(Tensor a, Tensor b) {
        return solve(a, b, true);
    }

    /** As {@link #solve(Tensor, Tensor)}; with {@code left} false the x of {@code x A = b}. */
    public static Tensor solve(Tensor a, Tensor b, boolean left) {
        return Scope.tidy(() -> {
            LinearSystems.requireMatrices("solve", a);
            return left
                    ? LinearSystems.solve("solve", a, b, true)[0]
                    : solve(a.mT(), matrices(a, b).mT()).mT();
        });
    }

    private static Tensor matrices(Tensor a, Tensor b) {
        if (LinearSystems.isVectors(a, b)) {
            throw new OpException("solve", "vectors stand on the right only, got " + a.shape() + " and " + b.shape());
        }
        return LinearSystems.requireMatrices("solve", b);
    }

    /** As {@link #solve(Tensor, Tensor)}, and what is not finite for a singular A. */
    public static Checked solveEx(Tensor a, Tensor b) {
        Tensor[] results = Scope.tidy(() -> LinearSystems.solve("solve", a, b, false), Linalg::pair);
        return new Checked(results[0], results[1]);
    }

    /** The inverse; a singular matrix is refused. */
    public static Tensor inv(Tensor matrices) {
        return Scope.tidy(() -> inverse(matrices, true).result());
    }

    /** As {@link #inv}, and what is not finite for a singular matrix. */
    public static Checked invEx(Tensor matrices) {
        return inverse(matrices, false);
    }

    private static Checked inverse(Tensor matrices, boolean checked) {
        LinearSystems.requireSquare("inv", matrices);
        Tensor[] results = Scope.tidy(
                () -> LinearSystems.solve("inv", matrices, LinearSystems.unit(matrices), checked), Linalg::pair);
        return new Checked(results[0], results[1]);
    }

    // ---- determinants

    public static Tensor det(Tensor matrices) {
        return Scope.tidy(() -> Determinants.det(matrices));
    }

    /** Sign and logarithm of the determinant, which may be too large or too small to be told itself. */
    public static SignAndLogarithm slogdet(Tensor matrices) {
        Tensor[] results = Scope.tidy(() -> Determinants.slogdet(matrices), Linalg::pair);
        return new SignAndLogarithm(results[0], results[1]);
    }

    /** The logarithm of the determinant; NaN where that is negative. */
    public static Tensor logdet(Tensor matrices) {
        return Scope.tidy(() -> {
            SignAndLogarithm result = slogdet(matrices);
            return result.sign().detach().log().add(result.logabsdet());
        });
    }

    // ---- orthogonal factors

    /** {@code A = q r}, with as many columns of q as A's smaller side has. */
    public static Qr qr(Tensor matrices) {
        return qr(matrices, false);
    }

    /** As {@link #qr(Tensor)}; with {@code complete} q is square. */
    public static Qr qr(Tensor matrices, boolean complete) {
        Tensor[] results = OrthogonalFactors.qr(matrices, complete);
        return new Qr(results[0], results[1]);
    }

    /** The r of {@link #qr(Tensor)} alone. */
    public static Tensor qrTriangle(Tensor matrices) {
        return Scope.tidy(() -> OrthogonalFactors.triangle(matrices));
    }

    /**
     * The factors behind {@link #qr}: R, and the reflections whose product is Q (torch.geqrf). They have no gradient.
     */
    public static Reflections geqrf(Tensor matrices) {
        Tensor[] results = Householder.reflections(matrices);
        return new Reflections(results[0], results[1]);
    }

    /** The first columns of the product of reflections, as many as {@code a} has. */
    public static Tensor householderProduct(Tensor a, Tensor tau) {
        return Scope.tidy(() -> Householder.product(a, tau));
    }

    /** The product of reflections, or with {@code transpose} its transpose, times other matrices, or behind them (torch.ormqr). */
    public static Tensor ormqr(Tensor a, Tensor tau, Tensor other, boolean left, boolean transpose) {
        return Scope.tidy(() -> Householder.multiplied(a, tau, other, left, transpose));
    }

    /** Eigenvalues and eigenvectors of symmetric matrices, of which the lower triangle is read. */
    public static Eigh eigh(Tensor matrices) {
        return eigh(matrices, false);
    }

    /** As {@link #eigh(Tensor)}; with {@code upper} the upper triangle is read. */
    public static Eigh eigh(Tensor matrices, boolean upper) {
        Tensor[] results = Scope.tidy(() -> OrthogonalFactors.eigh(matrices, upper), Arrays::asList);
        return new Eigh(results[0], results[1]);
    }

    /** The eigenvalues of {@link #eigh(Tensor)} alone. */
    public static Tensor eigvalsh(Tensor matrices) {
        return eigvalsh(matrices, false);
    }

    public static Tensor eigvalsh(Tensor matrices, boolean upper) {
        return Scope.tidy(() -> OrthogonalFactors.eigvalsh(matrices, upper));
    }

    /** Singular values and vectors, as many as the smaller side has. */
    public static Svd svd(Tensor matrices) {
        return svd(matrices, false);
    }

    /** As {@link #svd(Tensor)}; with {@code full} u and vh are square, and gradients of what that adds are left out. */
    public static Svd svd(Tensor matrices, boolean full) {
        Tensor[] results = OrthogonalFactors.svd(matrices, full);
        return new Svd(results[0], results[1], results[2]);
    }

    /** The singular values of {@link #svd(Tensor)} alone. */
    public static Tensor svdvals(Tensor matrices) {
        return Scope.tidy(() -> OrthogonalFactors.svdvals(matrices));
    }

    // ---- by singular values

    /** How many singular values are not as good as 0 (int64). */
    public static Tensor matrixRank(Tensor matrices) {
        return matrixRank(matrices, null, null, false);
    }

    /**
     * How many singular values are above {@code atol} and above {@code rtol} times the largest (int64).
     *
     * @param atol broadcasts to the batch; null for none
     * @param rtol likewise; null for the dtype's step times the longer side where there is no {@code atol}, for 0 otherwise
     * @param hermitian whether matrices are symmetric, so that eigenvalues may be taken
     */
    public static Tensor matrixRank(Tensor matrices, @Nullable Tensor atol, @Nullable Tensor rtol, boolean hermitian) {
        return Scope.tidy(() -> PseudoInverse.rank(matrices, atol, rtol, hermitian));
    }

    /** The pseudo-inverse of matrices (Moore and Penrose). */
    public static Tensor pinv(Tensor matrices) {
        return pinv(matrices, null, null, false);
    }

    /** As {@link #pinv(Tensor)}; the other parameters are those of {@link #matrixRank(Tensor, Tensor, Tensor, boolean)}. */
    public static Tensor pinv(Tensor matrices, @Nullable Tensor atol, @Nullable Tensor rtol, boolean hermitian) {
        return Scope.tidy(() -> PseudoInverse.of(matrices, atol, rtol, hermitian));
    }

    /** The x that bring {@code A x} nearest to b. */
    public static LeastSquares lstsq(Tensor a, Tensor b) {
        return Scope.tidy(
                () -> PseudoInverse.lstsq(a, b),
                result -> List.of(result.solution(), result.residuals(), result.rank(), result.singularValues()));
    }

    /** The quotient of the largest and the smallest singular value. */
    public static Tensor cond(Tensor matrices) {
        return cond(matrices, 2);
    }

    /** As {@link #cond(Tensor)}; of other orders the product of the norm and that of the inverse. */
    public static Tensor cond(Tensor matrices, double order) {
        return Scope.tidy(() -> MatrixNorms.condition(matrices, order));
    }

    /**
     * A norm of matrices: for ∞ the largest sum of a row's magnitudes, for 1 of a column's, for 2 the largest singular value; for
     * -∞, -1 and -2 the smallest.
     */
    public static Tensor matrixNorm(Tensor matrices, double order) {
        return matrixNorm(matrices, order, -2, -1, false);
    }

    /** As {@link #matrixNorm(Tensor, double)}, of matrices in other dimensions. */
    public static Tensor matrixNorm(Tensor tensor, double order, int rows, int columns, boolean keepDim) {
        return Scope.tidy(() -> MatrixNorms.norm(tensor, order, rows, columns, keepDim));
    }

    /** The sum of the singular values. */
    public static Tensor nuclearNorm(Tensor matrices) {
        return nuclearNorm(matrices, -2, -1, false);
    }

    /** As {@link #nuclearNorm(Tensor)}, of matrices in other dimensions. */
    public static Tensor nuclearNorm(Tensor tensor, int rows, int columns, boolean keepDim) {
        return Scope.tidy(() -> MatrixNorms.nuclear(tensor, rows, columns, keepDim));
    }

    /** exp of matrices (torch.matrix_exp). Looks at their norm, so a program cannot trace it. */
    public static Tensor matrixExp(Tensor matrices) {
        return Scope.tidy(() -> MatrixExponential.of(matrices));
    }

    // ---- tensors as matrices

    /** The tensor whose sums with this one's dimensions behind the first {@code count} give these back. */
    public static Tensor tensorinv(Tensor tensor, int count) {
        return Scope.tidy(() -> MatrixTensors.inverse(tensor, count));
    }

    /** The x for which {@code tensordot(a, x, x.dim())} is b, when {@code dims} of a were moved behind its others. */
    public static Tensor tensorsolve(Tensor a, Tensor b, int... dims) {
        return Scope.tidy(() -> MatrixTensors.solve(a, b, dims));
    }

    // ---- symmetric matrices

    /**
     * {@code A = L D Lᵀ} as LAPACK's sytrf packs it: L below the diagonal and the blocks of D on it; the exchanges, counted from 1,
     * negative for blocks of two; and for each matrix 0 or the number of D's first zero.
     */
    public record LdlFactors(Tensor factors, Tensor pivots, Tensor info) {}

    /** The factors of symmetric matrices, of which only the lower triangle is read. No gradient flows. Zeros in D are told, not refused. */
    public static LdlFactors ldlFactorEx(Tensor matrices) {
        Tensor[] results = Dispatch.applyAll(new Ldl(), matrices);
        return new LdlFactors(results[0], results[1], results[2]);
    }

    /** The x of {@code A x = b} by {@link #ldlFactorEx}'s factors of A; batches broadcast. No gradient flows. */
    public static Tensor ldlSolve(Tensor factors, Tensor pivots, Tensor right) {
        return Scope.tidy(() -> {
            if (factors.dim() < 2 || right.dim() < 2 || pivots.dim() < 1) {
                throw new OpException(
                        "ldl_solve",
                        "matrices and their exchanges are needed, got " + factors.shape() + ", " + pivots.shape()
                                + " and " + right.shape());
            }
            Shape batch = Shape.broadcast("ldl_solve", batch(factors), batch(right));
            return Dispatch.apply(
                    new LdlSolve(),
                    factors.expand(with(batch, factors.size(-2), factors.size(-1))),
                    pivots.expand(with(batch, pivots.size(-1))),
                    right.expand(with(batch, right.size(-2), right.size(-1))));
        });
    }

    private static Shape batch(Tensor matrices) {
        return Shape.of(Arrays.copyOf(matrices.shape().toArray(), matrices.dim() - 2));
    }

    private static long[] with(Shape batch, long... sizes) {
        long[] all = Arrays.copyOf(batch.toArray(), batch.rank() + sizes.length);
        System.arraycopy(sizes, 0, all, batch.rank(), sizes.length);
        return all;
    }

    // ---- low rank

    /**
     * The largest singular values and their vectors, by a random basis of the range (Halko, Martinsson, Tropp 2009, algorithm 5.1).
     *
     * @param q how many
     * @param iterations how often the basis is improved; two suffice where values fall off
     * @param subtrahend what is taken from the matrices first, or null
     * @return U {@code [..., m, q]}, values {@code [..., q]}, V {@code [..., n, q]}
     */
    public static LowRank svdLowrank(Tensor matrices, int q, int iterations, @Nullable Tensor subtrahend) {
        return Scope.tidy(() -> LowRankFactors.svd(matrices, q, iterations, subtrahend), LowRank::tensors);
    }

    /** As {@link #svdLowrank}, of the principal components: of matrices whose columns have the mean 0, or are given it. */
    public static LowRank pcaLowrank(Tensor matrices, int q, boolean center, int iterations) {
        return Scope.tidy(
                () -> LowRankFactors.svd(
                        center ? matrices.sub(matrices.mean(-2, true)) : matrices, q, iterations, null),
                LowRank::tensors);
    }

    /** The result of {@link #svdLowrank}. */
    public record LowRank(Tensor u, Tensor values, Tensor v) {
        List<Tensor> tensors() {
            return List.of(u, values, v);
        }
    }
}
