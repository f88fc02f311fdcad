package dev.outpost.nn.loss;

import dev.outpost.Tensor;
import dev.outpost.nn.functional.Functional;
import dev.outpost.nn.functional.Reduction;

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
