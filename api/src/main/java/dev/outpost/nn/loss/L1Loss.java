package dev.outpost.nn.loss;

import dev.outpost.Tensor;
import dev.outpost.nn.functional.Functional;
import dev.outpost.nn.functional.Reduction;

/** The absolute difference. */
public final class L1Loss extends Loss {
    public L1Loss() {
        this(Reduction.MEAN);
    }

    public L1Loss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.l1Loss(input, target, reduction());
    }
}
