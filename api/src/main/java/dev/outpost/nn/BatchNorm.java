package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Writes;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Normalizes each feature (dimension 1) to mean 0 and variance 1 over the batch, then scales and shifts it (Ioffe and
 * Szegedy, 2015). Evaluation uses running statistics instead of the batch's statistics, unless no running statistics
 * are kept. 16-bit floats are computed in float32.
 */
public abstract sealed class BatchNorm extends Module permits BatchNorm1d, BatchNorm2d, BatchNorm3d, SyncBatchNorm {
    static final double DEFAULT_EPS = 1e-5;
    static final double DEFAULT_MOMENTUM = 0.1;

    private final long features;
    private final double eps;
    private final @Nullable Double momentum;
    private final @Nullable Parameter weight;
    private final @Nullable Parameter bias;
    private final @Nullable Buffer runningMean;
    private final @Nullable Buffer runningVariance;
    private final @Nullable Buffer batches;

    BatchNorm(long features, double eps, @Nullable Double momentum, boolean affine, boolean trackRunningStats) {
        if (!(eps >= 0)) {
            throw new OpException("batch_norm", "eps must not be negative, got " + eps);
        }
        if (momentum != null && !(momentum >= 0 && momentum <= 1)) {
            throw new OpException("batch_norm", "the momentum must be between 0 and 1, got " + momentum);
        }
        this.features = features;
        this.eps = eps;
        this.momentum = momentum;
        weight = affine ? parameter("weight", Init.ones(), features) : null;
        bias = affine ? parameter("bias", Init.zeros(), features) : null;
        runningMean = trackRunningStats ? buffer("running_mean", Init.zeros(), features) : null;
        runningVariance = trackRunningStats ? buffer("running_var", Init.ones(), features) : null;
        batches = trackRunningStats
                ? buffer("num_batches_tracked", new Buffer(Shape.SCALAR, DType.INT64, Init.zeros()))
                : null;
    }

    /** Returns the weight {@code [features]}; null without an affine part. */
    public final @Nullable Parameter weight() {
        return weight;
    }

    /** Returns the bias {@code [features]}; null without an affine part. */
    public final @Nullable Parameter bias() {
        return bias;
    }

    /** Returns the running mean {@code [features]}; null if no statistics are kept. */
    public final @Nullable Buffer runningMean() {
        return runningMean;
    }

    /** Returns the running variance {@code [features]}; null if no statistics are kept. The variance is unbiased, as in PyTorch. */
    public final @Nullable Buffer runningVariance() {
        return runningVariance;
    }

    /** Returns the accepted shapes for this number of features, for errors. */
    abstract String shapes(long size);

    abstract boolean isRank(int rank);

    @Override
    public final Tensor forward(Tensor input) {
        requireFeatures(input);
        return Scope.tidy(() -> normalized(input));
    }

    private Tensor normalized(Tensor input) {
        Tensor wide = input.dtype().bytes() == 2 ? input.float32() : input;
        if (!usesBatch()) {
            return normalize(
                            wide,
                            alongFeatures(runningMean.tensor(), wide),
                            alongFeatures(runningVariance.tensor(), wide))
                    .to(input.dtype());
        }
        int[] others = IntStream.range(0, wide.dim()).filter(dim -> dim != 1).toArray();
        Tensor mean = wide.mean(others, true);
        Tensor centred = wide.sub(mean);
        Tensor variance = centred.mul(centred).mean(others, true);
        if (isTraining() && batches != null) {
            GradMode.noGrad(() -> Writes.withLocks(
                    List.of(batches.tensor(), runningMean.tensor(), runningVariance.tensor()),
                    () -> track(mean.detach(), variance.detach(), wide.numel() / features)));
        }
        return normalize(wide, mean, variance).to(input.dtype());
    }

    private boolean usesBatch() {
        return isTraining() || batches == null;
    }

    private void requireFeatures(Tensor input) {
        if (input == null) {
            throw new OpException("batch_norm", "the input must not be null");
        }
        if (!isRank(input.dim()) || input.size(1) != features) {
            throw new OpException("batch_norm", "expected " + shapes(features) + ", got " + input.shape());
        }
        if (usesBatch() && input.numel() == features) {
            throw new OpException("batch_norm", "training needs more than one value per feature, got " + input.shape());
        }
    }

    private static Tensor alongFeatures(Tensor perFeature, Tensor input) {
        return input.dim() == 2 ? perFeature : perFeature.reshape(sizesAlongFeatures(perFeature, input));
    }

    private static long[] sizesAlongFeatures(Tensor perFeature, Tensor input) {
        long[] sizes = new long[input.dim() - 1];
        Arrays.fill(sizes, 1);
        sizes[0] = perFeature.numel();
        return sizes;
    }

    private Tensor normalize(Tensor input, Tensor mean, Tensor variance) {
        Tensor inverseDeviation = variance.add(eps).rsqrt();
        if (weight == null) {
            return input.sub(mean).mul(inverseDeviation);
        }
        Tensor scale = inverseDeviation.mul(alongFeatures(weight.tensor(), input));
        return input.sub(mean).mul(scale).add(alongFeatures(bias.tensor(), input));
    }

    /**
     * Updates the running statistics. As in PyTorch, the kept variance is unbiased. Without a momentum, all batches have the same weight.
     */
    private Tensor track(Tensor mean, Tensor variance, long values) {
        double unbiased = values / (values - 1.0);
        batches.tensor().add_(1);
        if (momentum == null) {
            Tensor share = batches.tensor().to(runningMean.dtype()).reciprocal();
            runningMean.tensor().lerp_(mean.reshape(features).to(runningMean.dtype()), share);
            Tensor kept = variance.reshape(features).mul(unbiased).to(runningVariance.dtype());
            return runningVariance.tensor().lerp_(kept, share);
        }
        runningMean.tensor().mul_(1 - momentum).add_(mean.reshape(features), momentum);
        return runningVariance.tensor().mul_(1 - momentum).add_(variance.reshape(features), momentum * unbiased);
    }

    @Override
    protected final String settings() {
        String weighs = momentum == null ? "None" : number(momentum);
        return features + ", eps=" + number(eps) + ", momentum=" + weighs + ", affine="
                + flag(weight != null) + ", bias=" + flag(weight != null) + ", track_running_stats="
                + flag(batches != null);
    }
}
