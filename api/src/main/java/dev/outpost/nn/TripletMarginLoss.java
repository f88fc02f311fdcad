package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;

/** max(0, distance(anchor, positive) - distance(anchor, negative) + margin) (torch.nn.TripletMarginLoss); see {@link
 * Functional#tripletMarginLoss(Tensor, Tensor, Tensor, double, double, double, boolean, Reduction)}. */
public final class TripletMarginLoss extends Module {
    private final double margin;
    private final double p;
    private final double eps;
    private final boolean swap;
    private final Reduction reduction;

    /** Uses a margin of 1, the Euclidean distance with an eps of 1e-6, and averages the losses. */
    public TripletMarginLoss() {
        this(1, 2, 1e-6, false, Reduction.MEAN);
    }

    /**
     * Creates a loss with all of its settings.
     *
     * @param margin the intended difference of the distances
     * @param p the order of the norm that is the distance
     * @param eps added to differences, for the gradient of 0
     * @param swap true to use the distance of positive and negative if it is smaller than the distance of anchor and
     * negative
     * @param reduction the reduction of the single losses
     */
    public TripletMarginLoss(double margin, double p, double eps, boolean swap, Reduction reduction) {
        this.margin = margin;
        this.p = p;
        this.eps = eps;
        this.swap = swap;
        this.reduction = ArgumentChecks.required(reduction, "the reduction");
    }

    /** Returns the loss: a scalar unless the reduction is {@link Reduction#NONE}. */
    public Tensor forward(Tensor anchor, Tensor positive, Tensor negative) {
        return Functional.tripletMarginLoss(anchor, positive, negative, margin, p, eps, swap, reduction);
    }
}
