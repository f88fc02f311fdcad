package dev.outpost.nn;

/**
 * Computes {@link Functional#convTranspose2d} of images {@code [batch, channels, height, width]}, with weights that
 * are learned (torch.nn.ConvTranspose2d).
 */
public final class ConvTranspose2d extends TransposedLayer {
    /** Creates a layer with stride 1 and without padding. */
    public ConvTranspose2d(long inChannels, long outChannels, long kernel) {
        this(inChannels, outChannels, ConvolutionSettings.of(kernel), true);
    }

    /** Creates a layer with all of its settings. */
    public ConvTranspose2d(long inChannels, long outChannels, ConvolutionSettings settings, boolean hasBias) {
        super(2, inChannels, outChannels, settings, hasBias, Functional::convTranspose2d);
    }
}
