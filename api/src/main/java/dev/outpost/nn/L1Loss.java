package dev.outpost.nn;

import dev.outpost.Tensor;

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
