package dev.outpost.nn;

/** Pads lines with zeros (torch.nn.ZeroPad1d). */
public final class ZeroPad1d extends PaddingLayer {
    /**
     * Creates a layer that pads with zeros.
     *
     * @param counts the numbers before and after each dimension, the last dimension first; one number stands for all; negative ones remove
     *     elements
     */
    public ZeroPad1d(long... counts) {
        super(1, counts, 0);
    }
}
