package dev.outpost.nn;

import dev.outpost.Tensor;

/** The square of the difference. */
public final class MSELoss extends Loss {
    public MSELoss() {
        this(Reduction.MEAN);
    }

    public MSELoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.mseLoss(input, target, reduction());
    }
}
