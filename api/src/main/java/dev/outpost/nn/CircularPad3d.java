package dev.outpost.nn;

import dev.outpost.ops.PadMode;

/** Pads volumes with copies of the elements at their opposite sides (torch.nn.CircularPad3d). */
public final class CircularPad3d extends PaddingLayer {
    /** @param counts the numbers before and after each dimension, the last dimension first; one number stands for all */
    public CircularPad3d(long... counts) {
        super(3, counts, PadMode.CIRCULAR);
    }
}
