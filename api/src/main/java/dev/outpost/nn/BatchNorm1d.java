package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/**
 * Mean 0 and variance 1 over the batch, feature by feature, then scaled and shifted (Ioffe and Szegedy, 2015). Takes
 * {@code [batch, features]} or {@code [batch, features, length]}; in evaluation running statistics stand in for the
 * batch's.
 */
public final class BatchNorm1d extends Module {
    private final long features;
    private final double eps;
    private final double momentum;
    private final Parameter weight;
    private final Parameter bias;
    private final Buffer runningMean;
    private final Buffer runningVariance;
    private final Buffer batches;

    public BatchNorm1d(long features) {
        this(features, 1e-5, 0.1);
    }

    /** @param momentum the weight of a batch in the running statistics */
    public BatchNorm1d(long features, double eps, double momentum) {
        this.features = features;
        this.eps = eps;
        this.momentum = momentum;
        weight = parameter("weight", Init.ones(), features);
        bias = parameter("bias", Init.zeros(), features);
        runningMean = buffer("running_mean", Init.zeros(), features);
        runningVariance = buffer("running_var", Init.ones(), features);
        batches = buffer("num_batches_tracked", new Buffer(Shape.SCALAR, DType.INT64, Init.zeros()));
    }

    @Override
    public Tensor forward(Tensor input) {
        requireFeatures(input);
        if (!isTraining()) {
            return normalize(
                    input, alongFeatures(runningMean.tensor(), input), alongFeatures(runningVariance.tensor(), input));
        }
        int[] others = input.dim() == 2 ? new int[] {0} : new int[] {0, 2};
        Tensor mean = input.mean(true, others);
        Tensor centred = input.sub(mean);
        Tensor variance = centred.mul(centred).mean(true, others);
        GradMode.noGrad(() -> track(mean.detach(), variance.detach(), input.numel() / features));
        return normalize(input, mean, variance);
    }

    private void requireFeatures(Tensor input) {
        if (input == null) {
            throw new OpException("batch_norm", "the input must not be null");
        }
        if (input.dim() < 2 || input.dim() > 3 || input.size(1) != features) {
            throw new OpException(
                    "batch_norm",
                    "expected [batch, " + features + "] or [batch, " + features + ", length], got " + input.shape());
        }
        if (isTraining() && input.numel() == features) {
            throw new OpException("batch_norm", "training needs more than one value per feature, got " + input.shape());
        }
    }

    private static Tensor alongFeatures(Tensor perFeature, Tensor input) {
        return input.dim() == 2 ? perFeature : perFeature.unsqueeze(-1);
    }

    private Tensor normalize(Tensor input, Tensor mean, Tensor variance) {
        Tensor scale = variance.add(eps).rsqrt().mul(alongFeatures(weight.tensor(), input));
        return input.sub(mean).mul(scale).add(alongFeatures(bias.tensor(), input));
    }

    /** As in PyTorch, the variance that is kept is the unbiased one. */
    private void track(Tensor mean, Tensor variance, long values) {
        double unbiased = values / (values - 1.0);
        runningMean.tensor().mul_(1 - momentum).add_(mean.reshape(features), momentum);
        runningVariance.tensor().mul_(1 - momentum).add_(variance.reshape(features), momentum * unbiased);
        batches.tensor().add_(1);
    }

    @Override
    protected String settings() {
        return features + ", eps=" + ModulePrinter.number(eps) + ", momentum=" + ModulePrinter.number(momentum);
    }
}
