package dev.outpost.nn;

import dev.outpost.Tensor;

/** max(x, 0), elementwise. */
public final class ReLU extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.relu();
    }
}
