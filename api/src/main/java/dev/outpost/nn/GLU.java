package dev.outpost.nn;

import dev.outpost.Tensor;

/** The first half of a dimension, times the sigmoid of the second (Dauphin et al., 2016) (torch.nn.GLU). */
public final class GLU extends Module {
    private final int dim;

    /** With dim -1. */
    public GLU() {
        this(-1);
    }

    /**
     * @param dim the dimension that is halved
     */
    public GLU(int dim) {
        this.dim = dim;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.glu(dim);
    }

    @Override
    protected String settings() {
        return "dim=" + dim;
    }
}
