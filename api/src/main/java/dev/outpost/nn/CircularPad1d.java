package dev.outpost.nn;

import dev.outpost.ops.PadMode;

/** Pads lines with copies of the elements at their other end (torch.nn.CircularPad1d). */
public final class CircularPad1d extends PaddingLayer {
    /** @param counts the numbers before and after each dimension, the last dimension first; one number stands for all */
    public CircularPad1d(long... counts) {
        super(1, counts, PadMode.CIRCULAR);
    }
}
