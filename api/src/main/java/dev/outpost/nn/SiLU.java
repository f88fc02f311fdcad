package dev.outpost.nn;

import dev.outpost.Tensor;

/** x · sigmoid(x), elementwise. */
public final class SiLU extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.silu();
    }
}
