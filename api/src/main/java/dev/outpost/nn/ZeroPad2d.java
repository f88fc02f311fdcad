package dev.outpost.nn;

/** Puts zeros around images (torch.nn.ZeroPad2d). */
public final class ZeroPad2d extends PaddingLayer {
    /**
     * Elements that are zero.
     *
     * @param counts before and after each dimension, those of the last dimension first; one number stands for all; negative ones take
     *     elements away
     */
    public ZeroPad2d(long... counts) {
        super(2, counts, 0);
    }
}
