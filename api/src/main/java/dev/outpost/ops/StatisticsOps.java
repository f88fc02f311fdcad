package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.functions.NormFunction;
import dev.outpost.internal.functions.Variance;
import dev.outpost.internal.ops.Dims;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Axes;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.List;

/**
 * Means, variances, norms and log-sum-exp of dimensions. Floating dtypes only, unless an op says otherwise; 16-bit ones
 * are computed in float32. Naming no dimension means all.
 */
public interface StatisticsOps {
    Tensor self();

    // ---- means

    default Tensor mean() {
        return mean(false);
    }

    default Tensor mean(int... dims) {
        return mean(false, dims);
    }

    /** The mean; NaN where there are no elements. */
    default Tensor mean(boolean keepDim, int... dims) {
        return Scope.tidy(() -> {
            Numerics.requireFloating("mean", self());
            long count = Dims.count(self().shape(), Dims.axes("mean", self().shape(), dims));
            return Numerics.wide(self()).sum(keepDim, dims).div(count).to(self().dtype());
        });
    }

    /** The mean of the elements cast to a dtype, and for a 16-bit one to float32. */
    default Tensor mean(DType dtype, boolean keepDim, int... dims) {
        boolean isNarrow = dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
        return Scope.tidy(() ->
                self().to(isNarrow ? DType.FLOAT32 : dtype).mean(keepDim, dims).to(dtype));
    }

    default Tensor nanmean(int... dims) {
        return nanmean(false, dims);
    }

    /** The mean of the elements that are not NaN. */
    default Tensor nanmean(boolean keepDim, int... dims) {
        return Scope.tidy(() -> {
            Numerics.requireFloating("nanmean", self());
            Tensor count = self().eq(self()).sum(keepDim, dims);
            return Numerics.wide(self()).nansum(keepDim, dims).div(count).to(self().dtype());
        });
    }

    // ---- variances

    /** The variance with Bessel's correction. */
    default Tensor var(int... dims) {
        return var(1, false, dims);
    }

    /**
     * The sum of the squared distances to the mean, divided by the number of elements less the correction.
     *
     * @param correction 1 for Bessel's, 0 for the variance of exactly these elements
     */
    default Tensor var(double correction, boolean keepDim, int... dims) {
        return Scope.tidy(() -> varMean(correction, keepDim, dims).variance());
    }

    /** The standard deviation with Bessel's correction. */
    default Tensor std(int... dims) {
        return std(1, false, dims);
    }

    /** The square root of {@link #var(double, boolean, int...)}; its gradient is 0 where it is 0. */
    default Tensor std(double correction, boolean keepDim, int... dims) {
        return Scope.tidy(() -> stdMean(correction, keepDim, dims).deviation());
    }

    /** {@link #var(double, boolean, int...)} and {@link #mean(boolean, int...)}. */
    default VarianceAndMean varMean(double correction, boolean keepDim, int... dims) {
        return Scope.tidy(
                () -> {
                    VarianceAndMean wide = wideVarMean(correction, keepDim, dims);
                    return new VarianceAndMean(
                            wide.variance().to(self().dtype()), wide.mean().to(self().dtype()));
                },
                result -> List.of(result.variance(), result.mean()));
    }

    private VarianceAndMean wideVarMean(double correction, boolean keepDim, int... dims) {
        Numerics.requireFloating("var", self());
        Axes axes = Dims.axes("var", self().shape(), dims);
        Tensor wide = Numerics.wide(self());
        double count = Math.max(0, Dims.count(self().shape(), axes) - correction);
        Shape folded = Dims.reduced(self().shape(), axes, keepDim);
        return new VarianceAndMean(Dims.reshaped(new Variance(count, dims).of(wide), folded), wide.mean(keepDim, dims));
    }

    /** {@link #std(double, boolean, int...)} and {@link #mean(boolean, int...)}. */
    default DeviationAndMean stdMean(double correction, boolean keepDim, int... dims) {
        return Scope.tidy(
                () -> {
                    VarianceAndMean wide = wideVarMean(correction, keepDim, dims);
                    return new DeviationAndMean(
                            Numerics.sqrt(wide.variance()).to(self().dtype()),
                            wide.mean().to(self().dtype()));
                },
                result -> List.of(result.deviation(), result.mean()));
    }

    // ---- norms

    /** The Euclidean norm of all elements. */
    default Tensor norm() {
        return norm(2);
    }

    /** The p-norm of all elements. */
    default Tensor norm(double p) {
        return norm(p, false);
    }

    /**
     * (Σ |x|^p)^(1/p); the largest |x| for p = ∞, the smallest for -∞, the number of elements that are not 0 for 0. The
     * gradient is 0 where the norm is 0.
     */
    default Tensor norm(double p, boolean keepDim, int... dims) {
        return vectorNorm(p, keepDim, dims);
    }

    /** The Euclidean norm of all elements (torch.linalg.vector_norm). */
    default Tensor vectorNorm() {
        return vectorNorm(2, false);
    }

    /** As {@link #norm(double, boolean, int...)} (torch.linalg.vector_norm). */
    default Tensor vectorNorm(double order, boolean keepDim, int... dims) {
        return Scope.tidy(() -> {
            Numerics.requireFloating("vector_norm", self());
            requireIdentity(order, dims);
            return wideNorm(Numerics.wide(self()), order, keepDim, dims).to(self().dtype());
        });
    }

    /** An infinite or a negative order has no norm of nothing. */
    private void requireIdentity(double order, int... dims) {
        boolean hasIdentity = order >= 0 && Double.isFinite(order);
        if (!hasIdentity && Dims.count(self().shape(), Dims.axes("vector_norm", self().shape(), dims)) == 0) {
            throw new OpException("vector_norm", "order " + order + " needs elements, got " + self().type());
        }
    }

    private static Tensor wideNorm(Tensor x, double order, boolean keepDim, int... dims) {
        if (order == 0) {
            return x.ne(0).to(x.dtype()).sum(keepDim, dims);
        }
        return order == 1
                ? x.abs().sum(keepDim, dims)
                : folded(NormFunction.of(order, dims).of(x), x.shape(), keepDim, dims);
    }

    /** What kept the dimensions of a norm, with or without them. */
    private static Tensor folded(Tensor norm, Shape shape, boolean keepDim, int... dims) {
        return keepDim ? norm : Dims.reshaped(norm, Dims.reduced(shape, Dims.axes("vector_norm", shape, dims), false));
    }

    // ---- log-sum-exp

    default Tensor logsumexp(int... dims) {
        return logsumexp(false, dims);
    }

    /** log Σ exp(x) without overflow; integers become float32. */
    default Tensor logsumexp(boolean keepDim, int... dims) {
        return Scope.tidy(() -> {
            Axes axes = Dims.axes("logsumexp", self().shape(), dims);
            Tensor wide = Numerics.wide(self());
            if (Dims.count(self().shape(), axes) == 0) {
                return wide.exp().sum(keepDim, dims).log().to(Numerics.resultDType(self()));
            }
            Tensor max = GradMode.noGrad(() -> {
                Tensor largest = wide.amax(true, dims);
                return largest.maskedFill(largest.isinf(), 0);
            });
            Tensor rest = wide.sub(max).exp().sum(true, dims).log();
            Tensor result = Dims.reshaped(rest.add(max), Dims.reduced(self().shape(), axes, keepDim));
            return result.to(Numerics.resultDType(self()));
        });
    }
}
