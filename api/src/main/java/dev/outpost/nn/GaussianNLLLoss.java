package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;

/** The negative log likelihood of normally distributed targets (torch.nn.GaussianNLLLoss); see {@link
 * Functional#gaussianNllLoss}. */
public final class GaussianNLLLoss extends Module {
    private final boolean full;
    private final double eps;
    private final Reduction reduction;

    /** Leaves out the constant, uses an eps of 1e-6, and averages the losses. */
    public GaussianNLLLoss() {
        this(false, 1e-6, Reduction.MEAN);
    }

    /**
     * Creates a loss with all of its settings.
     *
     * @param full true if log(2π) / 2 is added
     * @param eps the smallest variance
     * @param reduction the reduction of the single losses
     */
    public GaussianNLLLoss(boolean full, double eps, Reduction reduction) {
        this.full = full;
        this.eps = eps;
        this.reduction = ArgumentChecks.required(reduction, "the reduction");
    }

    /** Returns the loss: a scalar unless the reduction is {@link Reduction#NONE}. */
    public Tensor forward(Tensor input, Tensor target, Tensor variance) {
        return Functional.gaussianNllLoss(input, target, variance, full, eps, reduction);
    }
}
