package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;

/** 1 - cosine if the target is 1, max(0, cosine - margin) if it is -1 (torch.nn.CosineEmbeddingLoss). */
public final class CosineEmbeddingLoss extends Module {
    private final double margin;
    private final Reduction reduction;

    /** Uses a margin of 0, and averages the losses. */
    public CosineEmbeddingLoss() {
        this(0, Reduction.MEAN);
    }

    /**
     * Creates a loss with all of its settings.
     *
     * @param margin the largest cosine of different pairs without a loss, in [-1, 1]
     * @param reduction the reduction of the single losses
     */
    public CosineEmbeddingLoss(double margin, Reduction reduction) {
        this.margin = margin;
        this.reduction = ArgumentChecks.required(reduction, "the reduction");
    }

    /** Returns the loss: a scalar unless the reduction is {@link Reduction#NONE}. */
    public Tensor forward(Tensor first, Tensor second, Tensor target) {
        return Functional.cosineEmbeddingLoss(first, second, target, margin, reduction);
    }
}
