package dev.outpost.nn;

/** The square of the difference. */
public final class MSELoss extends FunctionLoss {
    /**
     * Averages over all elements.
     *
     * {@snippet file="ModuleExamplesTest.java" region="mseLossModule"}
     */
    public MSELoss() {
        this(Reduction.MEAN);
    }

    public MSELoss(Reduction reduction) {
        super(reduction, Functional::mseLoss);
    }
}
