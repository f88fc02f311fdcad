package dev.outpost.nn;

/** log(1 + exp(-target · input)), targets being 1 or -1 (torch.nn.SoftMarginLoss). */
public final class SoftMarginLoss extends FunctionLoss {
    /** Averages the losses. */
    public SoftMarginLoss() {
        this(Reduction.MEAN);
    }

    public SoftMarginLoss(Reduction reduction) {
        super(reduction, Functional::softMarginLoss);
    }
}
