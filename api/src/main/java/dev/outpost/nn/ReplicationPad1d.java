package dev.outpost.nn;

import dev.outpost.ops.PadMode;

/** Pads lines with copies of the elements at the edges (torch.nn.ReplicationPad1d). */
public final class ReplicationPad1d extends PaddingLayer {
    /** @param counts the numbers before and after each dimension, the last dimension first; one number stands for all */
    public ReplicationPad1d(long... counts) {
        super(1, counts, PadMode.REPLICATE);
    }
}
