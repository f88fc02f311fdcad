package dev.outpost.nn;

import dev.outpost.ops.PadMode;

/** Puts copies of the elements on the other side of the edge around lines (torch.nn.ReflectionPad1d). */
public final class ReflectionPad1d extends PaddingLayer {
    /** @param counts the numbers before and after each dimension, the last dimension first; one number stands for all */
    public ReflectionPad1d(long... counts) {
        super(1, counts, PadMode.REFLECT);
    }
}
