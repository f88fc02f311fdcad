package dev.outpost.nn;

/** The Kullback-Leibler divergence (torch.nn.KLDivLoss); inputs are logarithms of probabilities. See {@link
 * Functional#klDiv}. {@link Reduction#BATCHMEAN} is the mathematical divergence. */
public final class KLDivLoss extends FunctionLoss {
    /** Takes probabilities as targets, and averages over all elements. */
    public KLDivLoss() {
        this(false, Reduction.MEAN);
    }

    /** Uses PyTorch's defaults, except for the reduction. */
    public KLDivLoss(Reduction reduction) {
        this(false, reduction);
    }

    /**
     * Creates a loss with all of its settings.
     *
     * @param logTarget true if the targets are logarithms, too
     * @param reduction the reduction of the single losses
     */
    public KLDivLoss(boolean logTarget, Reduction reduction) {
        super(reduction, (input, target, reduce) -> Functional.klDiv(input, target, logTarget, reduce));
    }
}
