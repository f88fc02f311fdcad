package dev.outpost.nn;

/** The first half of a dimension, times the sigmoid of the second half (Dauphin et al., 2016) (torch.nn.GLU). */
public final class GLU extends FunctionLayer {
    /** Uses dim -1. */
    public GLU() {
        this(-1);
    }

    /**
     * @param dim the dimension that is halved
     */
    public GLU(int dim) {
        super("dim=" + dim, input -> input.glu(dim));
    }
}
