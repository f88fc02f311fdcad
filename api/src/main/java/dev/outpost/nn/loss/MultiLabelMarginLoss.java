package dev.outpost.nn.loss;

import dev.outpost.Tensor;
import dev.outpost.nn.functional.Functional;
import dev.outpost.nn.functional.Reduction;

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
