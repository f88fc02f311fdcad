package dev.outpost.nn;

import dev.outpost.ops.PadMode;

/** Pads images with copies of the elements at their opposite sides (torch.nn.CircularPad2d). */
public final class CircularPad2d extends PaddingLayer {
    /** @param counts the numbers before and after each dimension, the last dimension first; one number stands for all */
    public CircularPad2d(long... counts) {
        super(2, counts, PadMode.CIRCULAR);
    }
}
