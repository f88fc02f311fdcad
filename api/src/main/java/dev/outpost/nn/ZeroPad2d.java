package dev.outpost.nn;

/** Pads images with zeros (torch.nn.ZeroPad2d). */
public final class ZeroPad2d extends PaddingLayer {
    /**
     * Creates a layer that pads with zeros.
     *
     * @param counts the numbers before and after each dimension, the last dimension first; one number stands for all; negative ones remove
     *     elements
     */
    public ZeroPad2d(long... counts) {
        super(2, counts, 0);
    }
}
