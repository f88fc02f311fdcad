package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;

/** max(0, -target · (first - second) + margin), targets being 1 or -1 (torch.nn.MarginRankingLoss). */
public final class MarginRankingLoss extends Module {
    private final double margin;
    private final Reduction reduction;

    /** Uses a margin of 0, and averages the losses. */
    public MarginRankingLoss() {
        this(0, Reduction.MEAN);
    }

    /**
     * Creates a loss with all of its settings.
     *
     * @param margin the intended difference of the ranks
     * @param reduction the reduction of the single losses
     */
    public MarginRankingLoss(double margin, Reduction reduction) {
        this.margin = margin;
        this.reduction = ArgumentChecks.required(reduction, "the reduction");
    }

    /** Returns the loss: a scalar unless the reduction is {@link Reduction#NONE}. */
    public Tensor forward(Tensor first, Tensor second, Tensor target) {
        return Functional.marginRankingLoss(first, second, target, margin, reduction);
    }
}
