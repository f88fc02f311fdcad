package dev.outpost.nn;

import dev.outpost.Tensor;

/** The logarithm of {@link Softmax}, computed without overflow. */
public final class LogSoftmax extends Module {
    private final int dim;

    /** @param dim along which; negative ones count from the back */
    public LogSoftmax(int dim) {
        this.dim = dim;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.logSoftmax(dim);
    }

    @Override
    protected String settings() {
        return "dim=" + dim;
    }
}
