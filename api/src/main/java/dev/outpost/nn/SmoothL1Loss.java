package dev.outpost.nn;

import dev.outpost.Tensor;

/** {@link HuberLoss} over beta: the absolute difference, rounded off below beta. */
public final class SmoothL1Loss extends Loss {
    private final double beta;

    public SmoothL1Loss() {
        this(1, Reduction.MEAN);
    }

    public SmoothL1Loss(double beta, Reduction reduction) {
        super(reduction);
        this.beta = beta;
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.smoothL1Loss(input, target, beta, reduction());
    }
}
