package dev.outpost.nn.activation;

import dev.outpost.Tensor;
import dev.outpost.nn.Module;

/** max(x, 0), elementwise. */
public final class ReLU extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.relu();
    }
}
