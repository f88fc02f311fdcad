package dev.outpost.ops;

import dev.outpost.Tensor;
import dev.outpost.types.DType;

/**
 * Reductions that take {@code keepDim} before the dimensions. {@link ReduceOps} and {@link StatisticsOps} have forms that take
 * the dimensions first, as PyTorch does; they are the ones to call.
 */
public interface EarlierReduceOps {
    Tensor self();

    /** {@code sum(dims, keepDim)}. */
    default Tensor sum(boolean keepDim, int... dims) {
        return self().sum(dims, keepDim);
    }

    /** {@code nansum(dims, keepDim)}. */
    default Tensor nansum(boolean keepDim, int... dims) {
        return self().nansum(dims, keepDim);
    }

    /** {@code prod(dims, keepDim)}. */
    default Tensor prod(boolean keepDim, int... dims) {
        return self().prod(dims, keepDim);
    }

    /** {@code amax(dims, keepDim)}. */
    default Tensor amax(boolean keepDim, int... dims) {
        return self().amax(dims, keepDim);
    }

    /** {@code amin(dims, keepDim)}. */
    default Tensor amin(boolean keepDim, int... dims) {
        return self().amin(dims, keepDim);
    }

    /** {@code all(dims, keepDim)}. */
    default Tensor all(boolean keepDim, int... dims) {
        return self().all(dims, keepDim);
    }

    /** {@code any(dims, keepDim)}. */
    default Tensor any(boolean keepDim, int... dims) {
        return self().any(dims, keepDim);
    }

    /** {@code mean(dims, keepDim)}. */
    default Tensor mean(boolean keepDim, int... dims) {
        return self().mean(dims, keepDim);
    }

    /** {@code nanmean(dims, keepDim)}. */
    default Tensor nanmean(boolean keepDim, int... dims) {
        return self().nanmean(dims, keepDim);
    }

    /** {@code logsumexp(dims, keepDim)}. */
    default Tensor logsumexp(boolean keepDim, int... dims) {
        return self().logsumexp(dims, keepDim);
    }

    /** {@code sum(dims, keepDim, dtype)}. */
    default Tensor sum(DType dtype, boolean keepDim, int... dims) {
        return self().sum(dims, keepDim, dtype);
    }

    /** {@code prod(dims, keepDim, dtype)}. */
    default Tensor prod(DType dtype, boolean keepDim, int... dims) {
        return self().prod(dims, keepDim, dtype);
    }

    /** {@code mean(dims, keepDim, dtype)}. */
    default Tensor mean(DType dtype, boolean keepDim, int... dims) {
        return self().mean(dims, keepDim, dtype);
    }

    /** {@code var(dims, correction, keepDim)}. */
    default Tensor var(double correction, boolean keepDim, int... dims) {
        return self().var(dims, correction, keepDim);
    }

    /** {@code std(dims, correction, keepDim)}. */
    default Tensor std(double correction, boolean keepDim, int... dims) {
        return self().std(dims, correction, keepDim);
    }

    /** {@code varMean(dims, correction, keepDim)}. */
    default VarianceAndMean varMean(double correction, boolean keepDim, int... dims) {
        return self().varMean(dims, correction, keepDim);
    }

    /** {@code stdMean(dims, correction, keepDim)}. */
    default DeviationAndMean stdMean(double correction, boolean keepDim, int... dims) {
        return self().stdMean(dims, correction, keepDim);
    }

    /** {@code norm(p, dims, keepDim)}. */
    default Tensor norm(double p, boolean keepDim, int... dims) {
        return self().norm(p, dims, keepDim);
    }

    /** {@code vectorNorm(order, dims, keepDim)}. */
    default Tensor vectorNorm(double order, boolean keepDim, int... dims) {
        return self().vectorNorm(order, dims, keepDim);
    }
}
