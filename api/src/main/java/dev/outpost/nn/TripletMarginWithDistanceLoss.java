package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import java.util.function.BinaryOperator;

/** max(0, d(anchor, positive) - d(anchor, negative) + margin) of a distance of one's own (torch.nn.TripletMarginWithDistanceLoss). */
public final class TripletMarginWithDistanceLoss extends Module {
    private final BinaryOperator<Tensor> distance;
    private final double margin;
    private final boolean swap;
    private final Reduction reduction;

    /** The Euclidean distance, and a margin of 1. */
    public TripletMarginWithDistanceLoss() {
        this(Functional::pairwiseDistance, 1, false, Reduction.MEAN);
    }

    /**
     * A loss with all of its settings.
     *
     * @param distance of two tensors {@code [batch, features]}, {@code [batch]}
     * @param margin by how much the distances shall differ
     * @param swap whether the distance of positive and negative replaces that of anchor and negative if it is smaller
     * @param reduction what becomes of the single losses
     */
    public TripletMarginWithDistanceLoss(
            BinaryOperator<Tensor> distance, double margin, boolean swap, Reduction reduction) {
        this.distance = ArgumentChecks.required(distance, "the distance");
        this.margin = margin;
        this.swap = swap;
        this.reduction = ArgumentChecks.required(reduction, "the reduction");
    }

    /** The loss, a scalar unless nothing is reduced. */
    public Tensor forward(Tensor anchor, Tensor positive, Tensor negative) {
        return Scope.tidy(() -> {
            Tensor near = distance.apply(anchor, positive);
            Tensor far = distance.apply(anchor, negative);
            Tensor farthest = swap ? far.minimum(distance.apply(positive, negative)) : far;
            Tensor losses = near.sub(farthest).add(margin).clampMin(0);
            return switch (reduction) {
                case NONE -> losses;
                case MEAN -> losses.mean();
                case SUM -> losses.sum();
                case BATCHMEAN -> losses.sum().div(losses.size(0));
            };
        });
    }
}
