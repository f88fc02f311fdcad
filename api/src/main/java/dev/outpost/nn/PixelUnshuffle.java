package dev.outpost.nn;

/** Computes {@link Functional#pixelUnshuffle} (torch.nn.PixelUnshuffle). */
public final class PixelUnshuffle extends FunctionLayer {
    /** @param factor the factor by which images shrink */
    public PixelUnshuffle(int factor) {
        super("downscale_factor=" + factor, input -> Functional.pixelUnshuffle(input, factor));
    }
}
