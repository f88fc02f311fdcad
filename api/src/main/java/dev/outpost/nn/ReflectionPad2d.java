package dev.outpost.nn;

import dev.outpost.ops.PadMode;

/** Pads images with their elements, mirrored at the edges (torch.nn.ReflectionPad2d). */
public final class ReflectionPad2d extends PaddingLayer {
    /** @param counts the numbers before and after each dimension, the last dimension first; one number stands for all */
    public ReflectionPad2d(long... counts) {
        super(2, counts, PadMode.REFLECT);
    }
}
