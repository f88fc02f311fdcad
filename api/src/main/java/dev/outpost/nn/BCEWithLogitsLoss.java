package dev.outpost.nn;

import dev.outpost.Tensor;

/** Binary cross entropy of sigmoid(input), computed without overflow. */
public final class BCEWithLogitsLoss extends Loss {
    public BCEWithLogitsLoss() {
        this(Reduction.MEAN);
    }

    public BCEWithLogitsLoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.binaryCrossEntropyWithLogits(input, target, null, null, reduction());
    }
}
