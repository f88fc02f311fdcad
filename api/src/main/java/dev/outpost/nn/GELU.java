package dev.outpost.nn;

import dev.outpost.Tensor;

/** x · Φ(x), the Gaussian error linear unit; exact. */
public final class GELU extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.gelu();
    }
}
