package dev.outpost.nn;

/** Merges several dimensions into one; by default, all except the first. */
public final class Flatten extends FunctionLayer {
    /** Keeps the first dimension, and merges all others into one. */
    public Flatten() {
        this(1, -1);
    }

    /** Both dimensions are included; negative ones count from the back. */
    public Flatten(int startDim, int endDim) {
        super("start_dim=" + startDim + ", end_dim=" + endDim, input -> input.flatten(startDim, endDim));
    }
}
