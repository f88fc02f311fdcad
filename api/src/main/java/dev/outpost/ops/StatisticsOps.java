package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.functions.FoldFunctions;
import dev.outpost.internal.ops.Dims;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Axes;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.List;

/**
 * Means, variances, norms and log-sum-exp of dimensions. Floating dtypes only, unless an op says otherwise; 16-bit floats are computed
 * in float32. No dimensions means all.
 */
public interface StatisticsOps {
    Tensor self();

    // ---- means

    /**
     * Returns the mean of all elements, a scalar; NaN if there are no elements.
     *
     * {@snippet file="OpExamplesTest.java" region="mean"}
     *
     * @throws OpException if the dtype is not floating
     */
    default Tensor mean() {
        return mean(Dims.ALL, false);
    }

    /**
     * Like {@link #mean()}, but over these dimensions, which are removed.
     *
     * @throws OpException if the dtype is not floating, or a dimension does not exist
     */
    default Tensor mean(int... dims) {
        return mean(dims, false);
    }

    /** Like {@link #mean(int...)}, but along a dimension, which stays with size 1 if {@code keepDim}. */
    default Tensor mean(int dim, boolean keepDim) {
        return mean(new int[] {dim}, keepDim);
    }

    /** Returns the mean; NaN if there are no elements. */
    default Tensor mean(int[] dims, boolean keepDim) {
        return Scope.tidy(() -> {
            Numerics.requireFloating("mean", self());
            long count = Dims.count(self().shape(), Dims.axes("mean", self().shape(), dims));
            return Numerics.wide(self()).sum(dims, keepDim).div(count).to(self().dtype());
        });
    }

    /** Like {@link #mean(int[], boolean, DType)}, but along a dimension. */
    default Tensor mean(int dim, boolean keepDim, DType dtype) {
        return mean(new int[] {dim}, keepDim, dtype);
    }

    /** Returns the mean of the elements cast to a dtype. For a 16-bit dtype, it is computed in float32. */
    default Tensor mean(int[] dims, boolean keepDim, DType dtype) {
        boolean isNarrow = dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
        return Scope.tidy(() ->
                self().to(isNarrow ? DType.FLOAT32 : dtype).mean(dims, keepDim).to(dtype));
    }

    default Tensor nanmean(int... dims) {
        return nanmean(dims, false);
    }

    /** Like {@link #nanmean(int...)}, but along a dimension, which stays with size 1 if {@code keepDim}. */
    default Tensor nanmean(int dim, boolean keepDim) {
        return nanmean(new int[] {dim}, keepDim);
    }

    /** Returns the mean of the elements that are not NaN. */
    default Tensor nanmean(int[] dims, boolean keepDim) {
        return Scope.tidy(() -> {
            Numerics.requireFloating("nanmean", self());
            Tensor count = self().eq(self()).sum(dims, keepDim);
            return Numerics.wide(self()).nansum(dims, keepDim).div(count).to(self().dtype());
        });
    }

    // ---- variances

    /**
     * Returns the variance with Bessel's correction: {@code Σ (x - mean)² / (n - 1)}.
     *
     * {@snippet file="OpExamplesTest.java" region="var"}
     *
     * @throws OpException if the dtype is not floating
     */
    default Tensor var(int... dims) {
        return var(dims, 1, false);
    }

    /** Like {@link #var(int[], double, boolean)}, but along a dimension. */
    default Tensor var(int dim, double correction, boolean keepDim) {
        return var(new int[] {dim}, correction, keepDim);
    }

    /**
     * Returns the sum of the squared distances to the mean, divided by the number of elements minus the correction.
     *
     * @param correction 1 for Bessel's correction, 0 for the variance of exactly these elements
     */
    default Tensor var(int[] dims, double correction, boolean keepDim) {
        return Scope.tidy(() -> varMean(dims, correction, keepDim).variance());
    }

    /**
     * Returns the standard deviation with Bessel's correction, the square root of {@link #var(int...)}.
     *
     * {@snippet file="OpExamplesTest.java" region="std"}
     *
     * @throws OpException if the dtype is not floating
     */
    default Tensor std(int... dims) {
        return std(dims, 1, false);
    }

    /** Like {@link #std(int[], double, boolean)}, but along a dimension. */
    default Tensor std(int dim, double correction, boolean keepDim) {
        return std(new int[] {dim}, correction, keepDim);
    }

    /**
     * Returns the square root of {@link #var(int[], double, boolean)}; its gradient is 0 where the deviation is 0.
     */
    default Tensor std(int[] dims, double correction, boolean keepDim) {
        return Scope.tidy(() -> stdMean(dims, correction, keepDim).deviation());
    }

    /** Like {@link #varMean(int[], double, boolean)}, but along a dimension. */
    default VarianceAndMean varMean(int dim, double correction, boolean keepDim) {
        return varMean(new int[] {dim}, correction, keepDim);
    }

    /** Returns {@link #var(int[], double, boolean)} and {@link #mean(int[], boolean)}. */
    default VarianceAndMean varMean(int[] dims, double correction, boolean keepDim) {
        return Scope.tidy(
                () -> {
                    VarianceAndMean wide = wideVarMean(dims, correction, keepDim);
                    return new VarianceAndMean(
                            wide.variance().to(self().dtype()), wide.mean().to(self().dtype()));
                },
                result -> List.of(result.variance(), result.mean()));
    }

    private VarianceAndMean wideVarMean(int[] dims, double correction, boolean keepDim) {
        Numerics.requireFloating("var", self());
        Axes axes = Dims.axes("var", self().shape(), dims);
        Tensor wide = Numerics.wide(self());
        double count = Math.max(0, Dims.count(self().shape(), axes) - correction);
        Shape folded = Dims.reduced(self().shape(), axes, keepDim);
        return new VarianceAndMean(
                Dims.reshaped(FoldFunctions.variance(count, dims).of(wide), folded), wide.mean(dims, keepDim));
    }

    /** Like {@link #stdMean(int[], double, boolean)}, but along a dimension. */
    default DeviationAndMean stdMean(int dim, double correction, boolean keepDim) {
        return stdMean(new int[] {dim}, correction, keepDim);
    }

    /** Returns {@link #std(int[], double, boolean)} and {@link #mean(int[], boolean)}. */
    default DeviationAndMean stdMean(int[] dims, double correction, boolean keepDim) {
        return Scope.tidy(
                () -> {
                    VarianceAndMean wide = wideVarMean(dims, correction, keepDim);
                    return new DeviationAndMean(
                            Numerics.sqrt(wide.variance()).to(self().dtype()),
                            wide.mean().to(self().dtype()));
                },
                result -> List.of(result.deviation(), result.mean()));
    }

    // ---- norms

    /**
     * Returns the Euclidean norm of all elements, {@code √Σ x²}, a scalar.
     *
     * {@snippet file="OpExamplesTest.java" region="norm"}
     *
     * @throws OpException if the dtype is not floating
     */
    default Tensor norm() {
        return norm(2);
    }

    /** Returns the p-norm of all elements. */
    default Tensor norm(double p) {
        return norm(p, Dims.ALL, false);
    }

    /** Like {@link #norm(double, int[], boolean)}, but along a dimension, which is removed. */
    default Tensor norm(double p, int dim) {
        return norm(p, dim, false);
    }

    /** Like {@link #norm(double, int[], boolean)}, but along one dimension. */
    default Tensor norm(double p, int dim, boolean keepDim) {
        return norm(p, new int[] {dim}, keepDim);
    }

    /**
     * Returns (Σ |x|^p)^(1/p). For p = ∞ this is the largest |x|, for p = -∞ the smallest, and for p = 0 the number
     * of elements that are not 0. The gradient is 0 where the norm is 0.
     */
    default Tensor norm(double p, int[] dims, boolean keepDim) {
        return vectorNorm(p, dims, keepDim);
    }

    /** Returns the Euclidean norm of all elements (torch.linalg.vector_norm). */
    default Tensor vectorNorm() {
        return vectorNorm(2, Dims.ALL, false);
    }

    /** Like {@link #vectorNorm(double, int[], boolean)}, but along a dimension, which is removed. */
    default Tensor vectorNorm(double order, int dim) {
        return vectorNorm(order, dim, false);
    }

    /** Like {@link #vectorNorm(double, int[], boolean)}, but along a dimension. */
    default Tensor vectorNorm(double order, int dim, boolean keepDim) {
        return vectorNorm(order, new int[] {dim}, keepDim);
    }

    /** Same as {@link #norm(double, int[], boolean)} (torch.linalg.vector_norm). */
    default Tensor vectorNorm(double order, int[] dims, boolean keepDim) {
        return Scope.tidy(() -> {
            Numerics.requireFloating("vector_norm", self());
            requireIdentity(order, dims);
            return wideNorm(Numerics.wide(self()), order, dims, keepDim).to(self().dtype());
        });
    }

    /** Throws for an infinite or a negative order if there are no elements. */
    private void requireIdentity(double order, int[] dims) {
        boolean hasIdentity = order >= 0 && Double.isFinite(order);
        if (!hasIdentity && Dims.count(self().shape(), Dims.axes("vector_norm", self().shape(), dims)) == 0) {
            throw new OpException("vector_norm", "order " + order + " needs elements, got " + self().type());
        }
    }

    private static Tensor wideNorm(Tensor x, double order, int[] dims, boolean keepDim) {
        if (order == 0) {
            return x.ne(0).to(x.dtype()).sum(dims, keepDim);
        }
        return order == 1
                ? x.abs().sum(dims, keepDim)
                : folded(FoldFunctions.norm(order, dims).of(x), x.shape(), dims, keepDim);
    }

    /** Removes the reduced dimensions of a norm that was computed with keepDim, unless the caller keeps them. */
    private static Tensor folded(Tensor norm, Shape shape, int[] dims, boolean keepDim) {
        return keepDim ? norm : Dims.reshaped(norm, Dims.reduced(shape, Dims.axes("vector_norm", shape, dims), false));
    }

    // ---- log-sum-exp

    /**
     * Returns log Σ exp(x) over these dimensions, without overflow; integers become float32.
     *
     * {@snippet file="OpExamplesTest.java" region="logsumexp"}
     */
    default Tensor logsumexp(int... dims) {
        return logsumexp(dims, false);
    }

    /** Like {@link #logsumexp(int...)}, but along a dimension, which stays with size 1 if {@code keepDim}. */
    default Tensor logsumexp(int dim, boolean keepDim) {
        return logsumexp(new int[] {dim}, keepDim);
    }

    /** Returns log Σ exp(x) without overflow; integers become float32. */
    default Tensor logsumexp(int[] dims, boolean keepDim) {
        return Scope.tidy(() -> {
            Axes axes = Dims.axes("logsumexp", self().shape(), dims);
            Tensor wide = Numerics.wide(self());
            if (Dims.count(self().shape(), axes) == 0) {
                return wide.exp().sum(dims, keepDim).log().to(Numerics.resultDType(self()));
            }
            // The shift is finite, so that an infinite element does not turn the sum and the other gradients into NaN.
            double largest = wide.dtype() == DType.FLOAT64 ? Double.MAX_VALUE : Float.MAX_VALUE;
            Tensor max = GradMode.noGrad(() -> wide.amax(dims, true).clamp(-largest, largest));
            Tensor rest = wide.sub(max).exp().sum(dims, true).log();
            Tensor result = Dims.reshaped(rest.add(max), Dims.reduced(self().shape(), axes, keepDim));
            return result.to(Numerics.resultDType(self()));
        });
    }
}
