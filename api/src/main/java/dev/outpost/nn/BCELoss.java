package dev.outpost.nn;

import dev.outpost.Tensor;

/** Binary cross entropy of probabilities. */
public final class BCELoss extends Loss {
    public BCELoss() {
        this(Reduction.MEAN);
    }

    public BCELoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.binaryCrossEntropy(input, target, null, reduction());
    }
}
