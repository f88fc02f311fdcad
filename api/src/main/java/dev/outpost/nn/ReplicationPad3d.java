package dev.outpost.nn;

import dev.outpost.ops.PadMode;

/** Pads volumes with copies of the elements at the edges (torch.nn.ReplicationPad3d). */
public final class ReplicationPad3d extends PaddingLayer {
    /** @param counts the numbers before and after each dimension, the last dimension first; one number stands for all */
    public ReplicationPad3d(long... counts) {
        super(3, counts, PadMode.REPLICATE);
    }
}
