package dev.outpost.nn;

/**
 * Computes {@link Functional#convTranspose3d} of volumes {@code [batch, channels, depth, height, width]}, with
 * weights that are learned (torch.nn.ConvTranspose3d).
 */
public final class ConvTranspose3d extends TransposedLayer {
    /** Creates a layer with stride 1 and without padding. */
    public ConvTranspose3d(long inChannels, long outChannels, long kernel) {
        this(inChannels, outChannels, ConvolutionSettings.of(kernel), true);
    }

    /** Creates a layer with all of its settings. */
    public ConvTranspose3d(long inChannels, long outChannels, ConvolutionSettings settings, boolean hasBias) {
        super(3, inChannels, outChannels, settings, hasBias, Functional::convTranspose3d);
    }
}
