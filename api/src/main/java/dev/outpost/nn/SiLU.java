package dev.outpost.nn;

import dev.outpost.Tensor;

/** x · sigmoid(x), elementwise. */
public final class SiLU extends FunctionLayer {
    public SiLU() {
        super(Tensor::silu);
    }
}
