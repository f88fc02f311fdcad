package dev.outpost.nn;

/** {@link HuberLoss} over beta: the absolute difference, rounded off below beta. */
public final class SmoothL1Loss extends FunctionLoss {
    /** Uses a beta of 1, and averages the losses. */
    public SmoothL1Loss() {
        this(1, Reduction.MEAN);
    }

    public SmoothL1Loss(double beta, Reduction reduction) {
        super(reduction, (input, target, reduce) -> Functional.smoothL1Loss(input, target, beta, reduce));
    }
}
