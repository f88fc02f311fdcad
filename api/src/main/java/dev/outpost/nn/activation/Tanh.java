package dev.outpost.nn.activation;

import dev.outpost.Tensor;
import dev.outpost.nn.Module;

/** The hyperbolic tangent, elementwise. */
public final class Tanh extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.tanh();
    }
}
