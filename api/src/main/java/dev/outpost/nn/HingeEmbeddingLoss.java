package dev.outpost.nn;

/** The input if the target is 1, max(0, margin - input) if it is -1 (torch.nn.HingeEmbeddingLoss). */
public final class HingeEmbeddingLoss extends FunctionLoss {
    /** Uses a margin of 1, and averages the losses. */
    public HingeEmbeddingLoss() {
        this(1, Reduction.MEAN);
    }

    /** Uses PyTorch's defaults, except for the reduction. */
    public HingeEmbeddingLoss(Reduction reduction) {
        this(1, reduction);
    }

    /**
     * Creates a loss with all of its settings.
     *
     * @param margin the intended distance of different pairs
     * @param reduction the reduction of the single losses
     */
    public HingeEmbeddingLoss(double margin, Reduction reduction) {
        super(reduction, (input, target, reduce) -> Functional.hingeEmbeddingLoss(input, target, margin, reduce));
    }
}
