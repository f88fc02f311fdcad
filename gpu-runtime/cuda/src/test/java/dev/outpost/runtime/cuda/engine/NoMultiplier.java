package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.device.Multiplier;
import dev.outpost.types.DType;

/** No library: every product is the engine's own. */
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
