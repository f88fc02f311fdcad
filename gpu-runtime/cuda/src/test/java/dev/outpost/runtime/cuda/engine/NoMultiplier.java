package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.device.Multiplier;
import dev.outpost.types.DType;

/** Stands for a missing library: the engine computes all products itself. */
public final class NoMultiplier implements Multiplier {
    @Override
    public boolean multiplies(DType dtype) {
        return false;
    }

    @Override
    public void multiply(Product product, long left, long right, long result) {
        throw new IllegalStateException("asked for " + product);
    }

    @Override
    public void close() {
        // There is nothing to release.
    }
}
