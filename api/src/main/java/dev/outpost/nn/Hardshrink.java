package dev.outpost.nn;

import dev.outpost.Tensor;

/** 0 where |x| is at most lambda, x elsewhere (torch.nn.Hardshrink). */
public final class Hardshrink extends Module {
    private final double lambda;

    /** With lambda 0.5. */
    public Hardshrink() {
        this(0.5);
    }

    /**
     * @param lambda not negative
     */
    public Hardshrink(double lambda) {
        this.lambda = lambda;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.hardshrink(lambda);
    }

    @Override
    protected String settings() {
        return number(lambda);
    }
}
