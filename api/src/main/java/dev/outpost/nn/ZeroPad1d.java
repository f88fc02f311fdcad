package dev.outpost.nn;

/** Puts zeros around lines (torch.nn.ZeroPad1d). */
public final class ZeroPad1d extends PaddingLayer {
    /**
     * Elements that are zero.
     *
     * @param counts the numbers before and after each dimension, the last dimension first; one number stands for all; negative ones remove
     *     elements
     */
    public ZeroPad1d(long... counts) {
        super(1, counts, 0);
    }
}
