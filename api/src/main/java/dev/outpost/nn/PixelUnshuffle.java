package dev.outpost.nn;

import dev.outpost.Tensor;

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
