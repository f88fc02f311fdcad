package dev.outpost.explain;

import dev.outpost.types.TensorType;

/**
 * A value of the segment.
 *
 * @param name {@code %12}, with its number in the session, if it outlives the segment or is an input of it, else
 *     {@code v3}, with its index in the segment. In a program, an input has its own name if it has one; other inputs
 *     and the outputs are {@code %3}, counted from the first input
 * @param type its dtype and shape
 * @param computedBy the index of the kernel that computes it; {@link #BEFORE} for a value from outside
 * @param lastUse the index of the kernel after which its memory is released; {@link #BEFORE} if nothing uses it, {@link
 *     #NEVER} if it outlives the segment
 * @param isStored true if its kernel stores it. A value is not stored if only that kernel needs it, or if it outlives the
 *     segment and is computed on request
 */
public record ExplainedValue(String name, TensorType type, int computedBy, int lastUse, boolean isStored) {
    /** The index that stands for the time before the first kernel. */
    public static final int BEFORE = -1;

    /** The index that stands for a time after the segment. */
    public static final int NEVER = Integer.MAX_VALUE;

    ExplainedValue named(String newName) {
        return new ExplainedValue(newName, type, computedBy, lastUse, isStored);
    }
}
