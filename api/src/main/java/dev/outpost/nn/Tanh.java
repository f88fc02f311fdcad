package dev.outpost.nn;

import dev.outpost.Tensor;

/** The hyperbolic tangent, elementwise. */
public final class Tanh extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.tanh();
    }
}
