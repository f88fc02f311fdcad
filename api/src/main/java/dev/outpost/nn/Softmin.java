package dev.outpost.nn;

import dev.outpost.Tensor;

/** Softmax of the negative (torch.nn.Softmin). */
public final class Softmin extends Module {
    private final int dim;

    /**
     * @param dim the dimension that adds up to 1
     */
    public Softmin(int dim) {
        this.dim = dim;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.softmin(dim);
    }

    @Override
    protected String settings() {
        return "dim=" + dim;
    }
}
