package dev.outpost.nn.loss;

import dev.outpost.Tensor;
import dev.outpost.nn.functional.Functional;
import dev.outpost.nn.functional.Reduction;

/** log(1 + exp(-target · input)), targets being 1 or -1 (torch.nn.SoftMarginLoss). */
public final class SoftMarginLoss extends Loss {
    public SoftMarginLoss() {
        this(Reduction.MEAN);
    }

    public SoftMarginLoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.softMarginLoss(input, target, reduction());
    }
}
