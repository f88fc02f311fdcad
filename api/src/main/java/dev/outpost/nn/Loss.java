package dev.outpost.nn;

import dev.outpost.Tensor;

/** A module that says how far predictions are from their targets. */
public abstract class Loss extends Module {
    private final Reduction reduction;

    protected Loss(Reduction reduction) {
        this.reduction = reduction;
    }

    /** What becomes of the single losses. */
    protected final Reduction reduction() {
        return reduction;
    }

    /** The loss, a scalar unless nothing is reduced. */
    public abstract Tensor forward(Tensor input, Tensor target);
}
