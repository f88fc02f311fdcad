package dev.outpost.nn;

import dev.outpost.Tensor;

/** {@link Functional#pixelShuffle} (torch.nn.PixelShuffle; Shi et al., 2016). */
public final class PixelShuffle extends Module {
    private final int factor;

    /** @param factor by which images grow */
    public PixelShuffle(int factor) {
        this.factor = factor;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.pixelShuffle(input, factor);
    }

    @Override
    protected String settings() {
        return "upscale_factor=" + factor;
    }
}
