package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;

/** max(0, -target · (first - second) + margin), targets being 1 or -1 (torch.nn.MarginRankingLoss). */
public final class MarginRankingLoss extends Module {
    private final double margin;
    private final Reduction reduction;

    public MarginRankingLoss() {
        this(0, Reduction.MEAN);
    }

    /**
     * A loss with all of its settings.
     *
     * @param margin by how much the ranks shall differ
     * @param reduction what becomes of the single losses
     */
    public MarginRankingLoss(double margin, Reduction reduction) {
        this.margin = margin;
        this.reduction = ArgumentChecks.required(reduction, "the reduction");
    }

    /** The loss, a scalar unless nothing is reduced. */
    public Tensor forward(Tensor first, Tensor second, Tensor target) {
        return Functional.marginRankingLoss(first, second, target, margin, reduction);
    }
}
