package dev.outpost.nn;

/** Pads volumes with zeros (torch.nn.ZeroPad3d). */
public final class ZeroPad3d extends PaddingLayer {
    /**
     * Creates a layer that pads with zeros.
     *
     * @param counts the numbers before and after each dimension, the last dimension first; one number stands for all; negative ones remove
     *     elements
     */
    public ZeroPad3d(long... counts) {
        super(3, counts, 0);
    }
}
