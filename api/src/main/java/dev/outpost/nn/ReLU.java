package dev.outpost.nn;

import dev.outpost.Tensor;

/** max(x, 0), elementwise. */
public final class ReLU extends FunctionLayer {
    public ReLU() {
        super(Tensor::relu);
    }
}
