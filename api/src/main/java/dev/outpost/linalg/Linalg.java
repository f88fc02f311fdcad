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
 * Linear algebra on matrices in the last two dimensions; the other dimensions are a batch (torch.linalg). Float32 and float64 only. If
 * a method cannot compute a matrix, such as a singular one, the computation fails with the position of the first such matrix in the
 * batch. Methods whose names end in {@code Ex} do not fail: they return an int32 code for each matrix, 0 if it is valid.
 *
 * <p>All methods are thread-safe. They throw {@link OpException} at the call if a shape or dtype does not fit.
 */
public final class Linalg {
    /** The result for each matrix, and its error code (int32, 0 if it is valid). */
    public record Checked(Tensor result, Tensor info) {}

    /**
     * LU factors packed into one matrix.
     *
     * @param lu L below the diagonal, and U on and above it; the diagonal of L is ones and not stored
     * @param pivots the row with which each row was exchanged, in turn, counted from 1 (int32)
     */
    public record LuFactors(Tensor lu, Tensor pivots) {}

    /**
     * LU factors packed into one matrix, which may be singular.
     *
     * @param info int32, the number of the first zero on U's diagonal, or 0
     */
    public record LuFactorsAndInfo(Tensor lu, Tensor pivots, Tensor info) {}

    /** A matrix as {@code p l u}: a permutation of rows, a lower triangle with ones on its diagonal, and an upper triangle. */
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
     * The solution of a least-squares problem.
     *
     * @param solution the x; the shortest one if several are equally good
     * @param residuals the squared distance of {@code A x} from b for each column
     * @param rank the rank of A (int64)
     * @param singularValues the singular values of A, descending
     */
    public record LeastSquares(Tensor solution, Tensor residuals, Tensor rank, Tensor singularValues) {}

    private Linalg() {}

    private static List<Tensor> pair(Tensor[] results) {
        return List.of(results[0], results[1]);
    }

    // ---- Cholesky

    /**
     * Computes the lower triangle L of {@code A = L Lᵀ}, for symmetric positive definite matrices. Reads only their lower triangle.
     *
     * {@snippet file="TrainingExamplesTest.java" region="cholesky"}
     */
    public static Tensor cholesky(Tensor matrices) {
        return cholesky(matrices, false);
    }

    /** Computes the same as {@link #cholesky(Tensor)} or, if {@code upper} is true, the U of {@code A = Uᵀ U} from A's upper triangle. */
    public static Tensor cholesky(Tensor matrices, boolean upper) {
        return Scope.tidy(() -> cholesky(matrices, upper, true).result());
    }

    /**
     * Like {@link #cholesky(Tensor, boolean)}, but does not fail. The error code is the order of the first leading
     * minor that is not positive.
     */
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

    /** Solves {@code A x = b} by A's Cholesky factor. Reads only the factor's triangle; batches broadcast. */
    public static Tensor choleskySolve(Tensor b, Tensor factor, boolean upper) {
        return Scope.tidy(() -> CholeskySolution.of(b, factor, upper));
    }

    /** Computes the inverse of A from its Cholesky factor. */
    public static Tensor choleskyInverse(Tensor factor, boolean upper) {
        return Scope.tidy(() -> {
            LinearSystems.requireSquare("cholesky_inverse", factor);
            return choleskySolve(LinearSystems.unit(factor), factor, upper);
        });
    }

    // ---- triangles

    /** Solves {@code A x = b} for a triangular A. Reads only the triangle; batches broadcast. */
    public static Tensor solveTriangular(Tensor a, Tensor b, boolean upper) {
        return solveTriangular(a, b, upper, true, false);
    }

    /**
     * Same as {@link #solveTriangular(Tensor, Tensor, boolean)}.
     *
     * @param left false to solve {@code x A = b} instead
     * @param unitriangular true to take A's diagonal as ones
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

    /** Computes the LU factors of matrices of any shape. Fails if U has a zero on its diagonal. */
    public static LuFactors luFactor(Tensor matrices) {
        Tensor[] results = Scope.tidy(
                () -> LinearSystems.factor(LinearSystems.requireMatrices("lu_factor", matrices), true), Linalg::pair);
        return new LuFactors(results[0], results[1]);
    }

    /** Like {@link #luFactor}, but also for singular matrices. */
    public static LuFactorsAndInfo luFactorEx(Tensor matrices) {
        Tensor[] results = LinearSystems.factor(LinearSystems.requireMatrices("lu_factor", matrices), false);
        return new LuFactorsAndInfo(results[0], results[1], results[2]);
    }

    /** Computes {@code A = p l u} for matrices of any shape. */
    public static Lu lu(Tensor matrices) {
        return Scope.tidy(
                () -> {
                    LuFactorsAndInfo factors = luFactorEx(matrices);
                    return luUnpack(factors.lu(), factors.pivots());
                },
                Lu::tensors);
    }

    /** Unpacks the result of {@link #luFactor} into three matrices. */
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

    /** Solves {@code A x = b} by A's LU factors; batches broadcast. */
    public static Tensor luSolve(Tensor lu, Tensor pivots, Tensor b) {
        return luSolve(lu, pivots, b, true, false);
    }

    /**
     * Same as {@link #luSolve(Tensor, Tensor, Tensor)}.
     *
     * @param left false to solve {@code x A = b} instead
     * @param adjoint true to use Aᵀ instead of A
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

    /**
     * Solves {@code A x = b}, {@code [..., n, n]} and {@code [..., n, k]} or {@code [n]}. Batches broadcast. A singular A is a
     * fault that the next read throws.
     *
     * {@snippet file="TrainingExamplesTest.java" region="solve"}
     *
     * @throws OpException if A is not square, the sizes do not fit, or the dtype is not float32 or float64
     */
    public static Tensor solve(Tensor a, Tensor b) {
        return solve(a, b, true);
    }

    /** Same as {@link #solve(Tensor, Tensor)}. If {@code left} is false, solves {@code x A = b}. */
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

    /** Like {@link #solve(Tensor, Tensor)}, but does not fail: the result for a singular A is not finite. */
    public static Checked solveEx(Tensor a, Tensor b) {
        Tensor[] results = Scope.tidy(() -> LinearSystems.solve("solve", a, b, false), Linalg::pair);
        return new Checked(results[0], results[1]);
    }

    /**
     * Computes the inverses of {@code [..., n, n]}. A singular matrix is a fault that the next read throws.
     *
     * {@snippet file="TrainingExamplesTest.java" region="inv"}
     *
     * @throws OpException if a matrix is not square, or the dtype is not float32 or float64
     */
    public static Tensor inv(Tensor matrices) {
        return Scope.tidy(() -> inverse(matrices, true).result());
    }

    /** Like {@link #inv}, but does not fail: the result for a singular matrix is not finite. */
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

    /**
     * Computes the determinants of {@code [..., n, n]}, of shape {@code [...]}.
     *
     * {@snippet file="TrainingExamplesTest.java" region="det"}
     *
     * @throws OpException if a matrix is not square, or the dtype is not float32 or float64
     */
    public static Tensor det(Tensor matrices) {
        return Scope.tidy(() -> Determinants.det(matrices));
    }

    /** Computes the sign and the logarithm of the determinant. They do not overflow or underflow as the determinant itself may. */
    public static SignAndLogarithm slogdet(Tensor matrices) {
        Tensor[] results = Scope.tidy(() -> Determinants.slogdet(matrices), Linalg::pair);
        return new SignAndLogarithm(results[0], results[1]);
    }

    /** Returns the logarithm of the determinant; NaN if the determinant is negative. */
    public static Tensor logdet(Tensor matrices) {
        return Scope.tidy(() -> {
            SignAndLogarithm result = slogdet(matrices);
            return result.sign().detach().log().add(result.logabsdet());
        });
    }

    // ---- orthogonal factors

    /** Computes {@code A = q r}, with as many columns of q as A's smaller side has. */
    public static Qr qr(Tensor matrices) {
        return qr(matrices, false);
    }

    /** Computes the same as {@link #qr(Tensor)}. If {@code complete} is true, q is square. */
    public static Qr qr(Tensor matrices, boolean complete) {
        Tensor[] results = OrthogonalFactors.qr(matrices, complete);
        return new Qr(results[0], results[1]);
    }

    /** Computes only the r of {@link #qr(Tensor)}. */
    public static Tensor qrTriangle(Tensor matrices) {
        return Scope.tidy(() -> OrthogonalFactors.triangle(matrices));
    }

    /** Computes R and the reflections whose product is Q (torch.geqrf); {@link #qr} combines them. They have no gradient. */
    public static Reflections geqrf(Tensor matrices) {
        Tensor[] results = Householder.reflections(matrices);
        return new Reflections(results[0], results[1]);
    }

    /** Computes the first columns of the product of the reflections. The result has as many columns as {@code a}. */
    public static Tensor householderProduct(Tensor a, Tensor tau) {
        return Scope.tidy(() -> Householder.product(a, tau));
    }

    /**
     * Multiplies other matrices by the product of reflections, or by its transpose (torch.ormqr). The product is on the left if {@code
     * left} is true, else on the right.
     */
    public static Tensor ormqr(Tensor a, Tensor tau, Tensor other, boolean left, boolean transpose) {
        return Scope.tidy(() -> Householder.multiplied(a, tau, other, left, transpose));
    }

    /** Computes eigenvalues and eigenvectors of symmetric matrices. Reads only their lower triangle. */
    public static Eigh eigh(Tensor matrices) {
        return eigh(matrices, false);
    }

    /** Computes the same as {@link #eigh(Tensor)}. If {@code upper} is true, reads the upper triangle instead. */
    public static Eigh eigh(Tensor matrices, boolean upper) {
        Tensor[] results = Scope.tidy(() -> OrthogonalFactors.eigh(matrices, upper), Arrays::asList);
        return new Eigh(results[0], results[1]);
    }

    /** Computes only the eigenvalues of {@link #eigh(Tensor)}. */
    public static Tensor eigvalsh(Tensor matrices) {
        return eigvalsh(matrices, false);
    }

    public static Tensor eigvalsh(Tensor matrices, boolean upper) {
        return Scope.tidy(() -> OrthogonalFactors.eigvalsh(matrices, upper));
    }

    /**
     * Computes singular values and vectors of {@code [..., m, n]}. Their number is the size of the matrix's smaller side.
     *
     * {@snippet file="TrainingExamplesTest.java" region="svd"}
     */
    public static Svd svd(Tensor matrices) {
        return svd(matrices, false);
    }

    /** Computes the same as {@link #svd(Tensor)}. If {@code full} is true, u and vh are square; the additional vectors have no gradient. */
    public static Svd svd(Tensor matrices, boolean full) {
        Tensor[] results = OrthogonalFactors.svd(matrices, full);
        return new Svd(results[0], results[1], results[2]);
    }

    /** Computes only the singular values of {@link #svd(Tensor)}. */
    public static Tensor svdvals(Tensor matrices) {
        return Scope.tidy(() -> OrthogonalFactors.svdvals(matrices));
    }

    // ---- by singular values

    /** Returns the number of singular values that are not negligible (int64). */
    public static Tensor matrixRank(Tensor matrices) {
        return matrixRank(matrices, null, null, false);
    }

    /**
     * Returns the number of singular values above both {@code atol} and {@code rtol} times the largest one (int64).
     *
     * @param atol the absolute bound, broadcast to the batch; null means 0
     * @param rtol the relative bound, broadcast to the batch; null means 0 if {@code atol} is given, else the dtype's epsilon times the
     *     longer side
     * @param hermitian true if the matrices are symmetric; eigenvalues are then used instead
     */
    public static Tensor matrixRank(Tensor matrices, @Nullable Tensor atol, @Nullable Tensor rtol, boolean hermitian) {
        return Scope.tidy(() -> PseudoInverse.rank(matrices, atol, rtol, hermitian));
    }

    /** Returns the pseudo-inverse of matrices (Moore and Penrose). */
    public static Tensor pinv(Tensor matrices) {
        return pinv(matrices, null, null, false);
    }

    /**
     * Like {@link #pinv(Tensor)}, but with the parameters of {@link #matrixRank(Tensor, Tensor, Tensor, boolean)}.
     */
    public static Tensor pinv(Tensor matrices, @Nullable Tensor atol, @Nullable Tensor rtol, boolean hermitian) {
        return Scope.tidy(() -> PseudoInverse.of(matrices, atol, rtol, hermitian));
    }

    /** Computes the x for which {@code A x} is nearest to b. */
    public static LeastSquares lstsq(Tensor a, Tensor b) {
        return Scope.tidy(
                () -> PseudoInverse.lstsq(a, b),
                result -> List.of(result.solution(), result.residuals(), result.rank(), result.singularValues()));
    }

    /** Returns the quotient of the largest and the smallest singular value. */
    public static Tensor cond(Tensor matrices) {
        return cond(matrices, 2);
    }

    /** Like {@link #cond(Tensor)}, but for another norm: the norm of a matrix times the norm of its inverse. */
    public static Tensor cond(Tensor matrices, double order) {
        return Scope.tidy(() -> MatrixNorms.condition(matrices, order));
    }

    /**
     * Computes a norm of matrices. Order ∞ is the largest row sum of magnitudes, 1 is the largest column sum, and 2 is the largest
     * singular value. Orders -∞, -1 and -2 take the smallest instead.
     */
    public static Tensor matrixNorm(Tensor matrices, double order) {
        return matrixNorm(matrices, order, -2, -1, false);
    }

    /** Like {@link #matrixNorm(Tensor, double)}, but for matrices in other dimensions. */
    public static Tensor matrixNorm(Tensor tensor, double order, int rows, int columns, boolean keepDim) {
        return Scope.tidy(() -> MatrixNorms.norm(tensor, order, rows, columns, keepDim));
    }

    /** Returns the sum of the singular values. */
    public static Tensor nuclearNorm(Tensor matrices) {
        return nuclearNorm(matrices, -2, -1, false);
    }

    /** Like {@link #nuclearNorm(Tensor)}, but for matrices in other dimensions. */
    public static Tensor nuclearNorm(Tensor tensor, int rows, int columns, boolean keepDim) {
        return Scope.tidy(() -> MatrixNorms.nuclear(tensor, rows, columns, keepDim));
    }

    /** Returns the exponential of matrices (torch.matrix_exp). It reads their norm, so a program cannot trace it. */
    public static Tensor matrixExp(Tensor matrices) {
        return Scope.tidy(() -> MatrixExponential.of(matrices));
    }

    // ---- tensors as matrices

    /** Computes the inverse under {@code tensordot}: the tensor is taken as a matrix whose rows are its first {@code count} dimensions. */
    public static Tensor tensorinv(Tensor tensor, int count) {
        return Scope.tidy(() -> MatrixTensors.inverse(tensor, count));
    }

    /** Computes the x for which {@code tensordot(a, x, x.dim())} is b, after {@code dims} of a have been moved to its end. */
    public static Tensor tensorsolve(Tensor a, Tensor b, int... dims) {
        return Scope.tidy(() -> MatrixTensors.solve(a, b, dims));
    }

    // ---- symmetric matrices

    /**
     * {@code A = L D Lᵀ} as LAPACK's sytrf packs it: L below the diagonal and the blocks of D on it; the row exchanges, counted from 1,
     * negative for blocks of two; and for each matrix the number of D's first zero, or 0.
     */
    public record LdlFactors(Tensor factors, Tensor pivots, Tensor info) {}

    /**
     * Factorizes symmetric matrices. Reads only their lower triangle. No gradient flows. Reports zeros in D in the result instead of
     * failing.
     */
    public static LdlFactors ldlFactorEx(Tensor matrices) {
        Tensor[] results = Dispatch.applyAll(new Ldl(), matrices);
        return new LdlFactors(results[0], results[1], results[2]);
    }

    /** Solves {@code A x = b} by {@link #ldlFactorEx}'s factors of A; batches broadcast. No gradient flows. */
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
     * Computes the largest singular values and their vectors from a random basis of the range (Halko, Martinsson, Tropp 2009, algorithm
     * 5.1).
     *
     * @param q the number of singular values
     * @param iterations the number of improvements of the basis; two are enough if the singular values decrease quickly
     * @param subtrahend a tensor that is subtracted from the matrices first, or null
     * @return U {@code [..., m, q]}, values {@code [..., q]}, V {@code [..., n, q]}
     */
    public static LowRank svdLowrank(Tensor matrices, int q, int iterations, @Nullable Tensor subtrahend) {
        return Scope.tidy(() -> LowRankFactors.svd(matrices, q, iterations, subtrahend), LowRank::tensors);
    }

    /**
     * Computes principal components by the algorithm of {@link #svdLowrank}. The columns must have mean 0, unless
     * {@code center} is true, which subtracts their means.
     */
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
