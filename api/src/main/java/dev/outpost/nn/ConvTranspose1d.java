package dev.outpost.nn;

/**
 * Computes {@link Functional#convTranspose1d} of lines {@code [batch, channels, length]}, with weights that are
 * learned (torch.nn.ConvTranspose1d).
 */
public final class ConvTranspose1d extends TransposedLayer {
    /** Creates a layer with stride 1 and without padding. */
    public ConvTranspose1d(long inChannels, long outChannels, long kernel) {
        this(inChannels, outChannels, ConvolutionSettings.of(kernel), true);
    }

    /** Creates a layer with all of its settings. */
    public ConvTranspose1d(long inChannels, long outChannels, ConvolutionSettings settings, boolean hasBias) {
        super(1, inChannels, outChannels, settings, hasBias, Functional::convTranspose1d);
    }
}
