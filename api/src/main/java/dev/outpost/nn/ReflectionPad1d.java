package dev.outpost.nn;

import dev.outpost.ops.PadMode;

/** Pads lines with their elements, mirrored at the edges (torch.nn.ReflectionPad1d). */
public final class ReflectionPad1d extends PaddingLayer {
    /** @param counts the numbers before and after each dimension, the last dimension first; one number stands for all */
    public ReflectionPad1d(long... counts) {
        super(1, counts, PadMode.REFLECT);
    }
}
