package dev.outpost.nn;

/** log(1 + exp(beta · x)) / beta; x itself if beta · x is above the threshold. */
public final class Softplus extends FunctionLayer {
    /** Uses a beta of 1 and a threshold of 20. */
    public Softplus() {
        this(1, 20);
    }

    public Softplus(double beta, double threshold) {
        super("beta=" + number(beta) + ", threshold=" + number(threshold), input -> input.softplus(beta, threshold));
    }
}
