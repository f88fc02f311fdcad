package dev.outpost.nn;

import dev.outpost.Tensor;

/** Positive numbers that sum to 1 along a dimension. */
public final class Softmax extends Module {
    private final int dim;

    /** @param dim along which; negative ones count from the back */
    public Softmax(int dim) {
        this.dim = dim;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.softmax(dim);
    }

    @Override
    protected String settings() {
        return "dim=" + dim;
    }
}
