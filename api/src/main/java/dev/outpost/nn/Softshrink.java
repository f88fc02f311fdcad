package dev.outpost.nn;

import dev.outpost.Tensor;

/** 0 where |x| is at most lambda, elsewhere x moved toward 0 by lambda (torch.nn.Softshrink). */
public final class Softshrink extends Module {
    private final double lambda;

    /** With lambda 0.5. */
    public Softshrink() {
        this(0.5);
    }

    /**
     * @param lambda not negative
     */
    public Softshrink(double lambda) {
        this.lambda = lambda;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.softshrink(lambda);
    }

    @Override
    protected String settings() {
        return number(lambda);
    }
}
