package dev.outpost.nn.image;

import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Module;

/** {@link Functional#pixelUnshuffle} (torch.nn.PixelUnshuffle). */
public final class PixelUnshuffle extends Module {
    private final int factor;

    /** @param factor by which images shrink */
    public PixelUnshuffle(int factor) {
        this.factor = factor;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.pixelUnshuffle(input, factor);
    }

    @Override
    protected String settings() {
        return "downscale_factor=" + factor;
    }
}
