package dev.outpost.nn;

import dev.outpost.ops.PadMode;

/** Puts copies of the elements at the other end around images (torch.nn.CircularPad2d). */
public final class CircularPad2d extends PaddingLayer {
    /** @param counts the numbers before and after each dimension, the last dimension first; one number stands for all */
    public CircularPad2d(long... counts) {
        super(2, counts, PadMode.CIRCULAR);
    }
}
