package dev.outpost.nn;

/** Puts zeros around volumes (torch.nn.ZeroPad3d). */
public final class ZeroPad3d extends PaddingLayer {
    /**
     * Elements that are zero.
     *
     * @param counts before and after each dimension, those of the last dimension first; one number stands for all; negative ones take
     *     elements away
     */
    public ZeroPad3d(long... counts) {
        super(3, counts, 0);
    }
}
