package dev.outpost.nn;

import dev.outpost.ops.PadMode;

/** Pads images with copies of the elements at the edges (torch.nn.ReplicationPad2d). */
public final class ReplicationPad2d extends PaddingLayer {
    /** @param counts the numbers before and after each dimension, the last dimension first; one number stands for all */
    public ReplicationPad2d(long... counts) {
        super(2, counts, PadMode.REPLICATE);
    }
}
