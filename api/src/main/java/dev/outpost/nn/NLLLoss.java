package dev.outpost.nn;

import dev.outpost.Tensor;

/** The negative log probability of the target class, from {@link LogSoftmax}. */
public final class NLLLoss extends Loss {
    public NLLLoss() {
        super(Reduction.MEAN);
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.nllLoss(input, target);
    }
}
