package dev.outpost.nn;

/** The absolute difference. */
public final class L1Loss extends FunctionLoss {
    /** Averages the losses. */
    public L1Loss() {
        this(Reduction.MEAN);
    }

    public L1Loss(Reduction reduction) {
        super(reduction, Functional::l1Loss);
    }
}
