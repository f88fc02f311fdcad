package dev.outpost.nn;

import dev.outpost.Tensor;

/** The margins between the classes of a sample and all others (torch.nn.MultiLabelMarginLoss); see {@link
 * Functional#multilabelMarginLoss}. */
public final class MultiLabelMarginLoss extends Loss {
    public MultiLabelMarginLoss() {
        this(Reduction.MEAN);
    }

    public MultiLabelMarginLoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.multilabelMarginLoss(input, target, reduction());
    }
}
