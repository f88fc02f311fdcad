package dev.outpost.nn;

import dev.outpost.Tensor;

/** x where positive, alpha · (exp(x) - 1) elsewhere. */
public final class ELU extends Module {
    private final double alpha;

    public ELU() {
        this(1);
    }

    public ELU(double alpha) {
        this.alpha = alpha;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.elu(alpha);
    }

    @Override
    protected String settings() {
        return "alpha=" + number(alpha);
    }
}
