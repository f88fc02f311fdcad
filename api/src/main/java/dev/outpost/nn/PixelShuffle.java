package dev.outpost.nn;

/** Computes {@link Functional#pixelShuffle} (torch.nn.PixelShuffle; Shi et al., 2016). */
public final class PixelShuffle extends FunctionLayer {
    /** @param factor the factor by which images grow */
    public PixelShuffle(int factor) {
        super("upscale_factor=" + factor, input -> Functional.pixelShuffle(input, factor));
    }
}
