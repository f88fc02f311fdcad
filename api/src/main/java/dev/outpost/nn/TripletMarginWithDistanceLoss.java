package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import java.util.function.BinaryOperator;

/** max(0, d(anchor, positive) - d(anchor, negative) + margin), with any distance function (torch.nn.TripletMarginWithDistanceLoss). */
public final class TripletMarginWithDistanceLoss extends Module {
    private final BinaryOperator<Tensor> distance;
    private final double margin;
    private final boolean swap;
    private final Reduction reduction;

    /** Uses the Euclidean distance, and a margin of 1. */
    public TripletMarginWithDistanceLoss() {
        this(Functional::pairwiseDistance, 1, false, Reduction.MEAN);
    }

    /**
     * Creates a loss with all of its settings.
     *
     * @param distance computes the distances {@code [batch]} of two tensors {@code [batch, features]}
     * @param margin the intended difference of the distances
     * @param swap true to use the distance of positive and negative if it is smaller than the distance of anchor and
     * negative
     * @param reduction the reduction of the single losses
     */
    public TripletMarginWithDistanceLoss(
            BinaryOperator<Tensor> distance, double margin, boolean swap, Reduction reduction) {
        this.distance = ArgumentChecks.required(distance, "the distance");
        this.margin = margin;
        this.swap = swap;
        this.reduction = ArgumentChecks.required(reduction, "the reduction");
    }

    /** Returns the loss: a scalar unless the reduction is {@link Reduction#NONE}. */
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
