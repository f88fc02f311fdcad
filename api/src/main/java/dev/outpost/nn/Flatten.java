package dev.outpost.nn;

import dev.outpost.Tensor;

/** Makes one dimension of several; of all but the first unless told otherwise. */
public final class Flatten extends Module {
    private final int startDim;
    private final int endDim;

    public Flatten() {
        this(1, -1);
    }

    /** Both dimensions are included; negative ones count from the back. */
    public Flatten(int startDim, int endDim) {
        this.startDim = startDim;
        this.endDim = endDim;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.flatten(startDim, endDim);
    }

    @Override
    protected String settings() {
        return "start_dim=" + startDim + ", end_dim=" + endDim;
    }
}
