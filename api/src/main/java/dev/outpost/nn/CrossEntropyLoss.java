package dev.outpost.nn;

import dev.outpost.Tensor;

/** The negative logarithm of the target class's softmax; see {@link Functional#crossEntropy(Tensor, Tensor)}. */
public final class CrossEntropyLoss extends Loss {
    public CrossEntropyLoss() {
        this(Reduction.MEAN);
    }

    public CrossEntropyLoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.crossEntropy(input, target, reduction());
    }
}
