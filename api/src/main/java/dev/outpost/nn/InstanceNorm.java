package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Normalizes each channel of each sample to mean 0 and variance 1 (Ulyanov et al., 2016). Unlike batch norm it has by default no weight, no
 * bias and no running statistics. Running statistics are used in evaluation.
 */
public abstract sealed class InstanceNorm extends Module permits InstanceNorm1d, InstanceNorm2d, InstanceNorm3d {
    private final int dims;
    private final long features;
    private final double eps;
    private final double momentum;
    private final @Nullable Parameter weight;
    private final @Nullable Parameter bias;
    private final @Nullable Buffer runningMean;
    private final @Nullable Buffer runningVariance;

    InstanceNorm(int dims, long features, double eps, double momentum, boolean affine, boolean trackRunningStats) {
        this.dims = dims;
        this.features = features;
        this.eps = eps;
        this.momentum = momentum;
        weight = affine ? parameter("weight", Init.ones(), features) : null;
        bias = affine ? parameter("bias", Init.zeros(), features) : null;
        runningMean = trackRunningStats ? buffer("running_mean", Init.zeros(), features) : null;
        runningVariance = trackRunningStats ? buffer("running_var", Init.ones(), features) : null;
        if (trackRunningStats) {
            // PyTorch has this buffer, and leaves it at 0.
            buffer("num_batches_tracked", new Buffer(Shape.SCALAR, DType.INT64, Init.zeros()));
        }
    }

    @Override
    public final Tensor forward(Tensor input) {
        requireFeatures(input);
        return input.dim() == dims + 2
                ? normalized(input)
                : Scope.tidy(() -> normalized(input.unsqueeze(0)).squeeze(0));
    }

    private void requireFeatures(Tensor input) {
        int rank = input == null ? 0 : input.dim();
        boolean fits = (rank == dims + 1 || rank == dims + 2) && input.size(rank - dims - 1) == features;
        if (!fits) {
            throw new OpException(
                    "instance_norm",
                    "expected " + features + " channels with " + dims + " dimensions, or a batch of them, got "
                            + (input == null ? null : input.shape()));
        }
    }

    private Tensor normalized(Tensor input) {
        Tensor scale = weight == null ? null : weight.tensor();
        Tensor shift = bias == null ? null : bias.tensor();
        if (runningMean == null) {
            return Functional.instanceNorm(input, null, null, scale, shift, momentum, eps);
        }
        return isTraining()
                ? Functional.instanceNorm(
                        input, runningMean.tensor(), runningVariance.tensor(), scale, shift, momentum, eps)
                : Functional.batchNorm(
                        input, runningMean.tensor(), runningVariance.tensor(), scale, shift, false, momentum, eps);
    }

    @Override
    protected final String settings() {
        return features + ", eps=" + number(eps) + ", momentum=" + number(momentum) + ", affine="
                + flag(weight != null) + ", bias=" + flag(weight != null) + ", track_running_stats="
                + flag(runningMean != null);
    }
}
