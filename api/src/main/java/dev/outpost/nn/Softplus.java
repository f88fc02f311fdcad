package dev.outpost.nn;

import dev.outpost.Tensor;

/** log(1 + exp(beta · x)) / beta; x itself where beta · x is above the threshold. */
public final class Softplus extends Module {
    private final double beta;
    private final double threshold;

    public Softplus() {
        this(1, 20);
    }

    public Softplus(double beta, double threshold) {
        this.beta = beta;
        this.threshold = threshold;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.softplus(beta, threshold);
    }

    @Override
    protected String settings() {
        return "beta=" + number(beta) + ", threshold=" + number(threshold);
    }
}
