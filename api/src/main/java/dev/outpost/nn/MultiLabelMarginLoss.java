package dev.outpost.nn;

/** The margins between the classes of a sample and all others (torch.nn.MultiLabelMarginLoss); see {@link
 * Functional#multilabelMarginLoss}. */
public final class MultiLabelMarginLoss extends FunctionLoss {
    /** Averages the losses. */
    public MultiLabelMarginLoss() {
        this(Reduction.MEAN);
    }

    public MultiLabelMarginLoss(Reduction reduction) {
        super(reduction, Functional::multilabelMarginLoss);
    }
}
