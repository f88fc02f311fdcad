package dev.outpost.nn;

/** x if it is positive, else alpha · (exp(x / alpha) - 1) (Barron, 2017; torch.nn.CELU). */
public final class CELU extends FunctionLayer {
    /** Uses alpha 1. */
    public CELU() {
        this(1);
    }

    /**
     * @param alpha minus the lower bound; not 0
     */
    public CELU(double alpha) {
        super("alpha=" + number(alpha), input -> input.celu(alpha));
    }
}
