package dev.outpost.nn.activation;

import dev.outpost.Tensor;
import dev.outpost.nn.Module;

/** x · sigmoid(x), elementwise. */
public final class SiLU extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.silu();
    }
}
