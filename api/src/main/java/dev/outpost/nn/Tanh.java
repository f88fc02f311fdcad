package dev.outpost.nn;

import dev.outpost.Tensor;

/** The hyperbolic tangent, elementwise. */
public final class Tanh extends FunctionLayer {
    public Tanh() {
        super(Tensor::tanh);
    }
}
