package dev.outpost.nn;

/** Half the squared difference up to delta, and linear above it (Huber, 1964). */
public final class HuberLoss extends FunctionLoss {
    /** Uses a delta of 1, and averages the losses. */
    public HuberLoss() {
        this(1, Reduction.MEAN);
    }

    public HuberLoss(double delta, Reduction reduction) {
        super(reduction, (input, target, reduce) -> Functional.huberLoss(input, target, delta, reduce));
    }
}
