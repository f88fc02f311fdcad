package dev.outpost.nn;

import dev.outpost.Tensor;

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
