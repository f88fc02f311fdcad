package dev.outpost.nn;

/**
 * Computes {@link Functional#conv3d} of volumes {@code [batch, channels, depth, height, width]}, with weights that
 * are learned (torch.nn.Conv3d).
 */
public final class Conv3d extends ConvolutionLayer {
    /** Creates a layer with stride 1 and without padding. */
    public Conv3d(long inChannels, long outChannels, long kernel) {
        this(inChannels, outChannels, ConvolutionSettings.of(kernel), true);
    }

    /** Creates a layer with all of its settings; the output padding is ignored. */
    public Conv3d(long inChannels, long outChannels, ConvolutionSettings settings, boolean hasBias) {
        super(3, inChannels, outChannels, settings, hasBias, Functional::conv3d);
    }
}
