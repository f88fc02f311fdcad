package dev.outpost.nn;

import dev.outpost.Tensor;

/** x where it is positive, alpha · (exp(x / alpha) - 1) elsewhere (Barron, 2017) (torch.nn.CELU). */
public final class CELU extends Module {
    private final double alpha;

    /** With alpha 1. */
    public CELU() {
        this(1);
    }

    /**
     * @param alpha minus the lower bound; not 0
     */
    public CELU(double alpha) {
        this.alpha = alpha;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.celu(alpha);
    }

    @Override
    protected String settings() {
        return "alpha=" + number(alpha);
    }
}
