package dev.outpost.nn;

import dev.outpost.ops.PadMode;

/** Pads volumes with their elements, mirrored at the edges (torch.nn.ReflectionPad3d). */
public final class ReflectionPad3d extends PaddingLayer {
    /** @param counts the numbers before and after each dimension, the last dimension first; one number stands for all */
    public ReflectionPad3d(long... counts) {
        super(3, counts, PadMode.REFLECT);
    }
}
