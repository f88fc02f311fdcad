package dev.outpost.nn;

import dev.outpost.Tensor;

/** Half the squared difference up to delta, from there on straight on (Huber, 1964). */
public final class HuberLoss extends Loss {
    private final double delta;

    public HuberLoss() {
        this(1, Reduction.MEAN);
    }

    public HuberLoss(double delta, Reduction reduction) {
        super(reduction);
        this.delta = delta;
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.huberLoss(input, target, delta, reduction());
    }
}
