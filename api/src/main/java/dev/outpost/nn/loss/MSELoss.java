package dev.outpost.nn.loss;

import dev.outpost.Tensor;
import dev.outpost.nn.functional.Functional;
import dev.outpost.nn.functional.Reduction;

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
