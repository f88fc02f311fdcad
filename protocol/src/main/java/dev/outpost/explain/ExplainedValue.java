package dev.outpost.explain;

import dev.outpost.types.TensorType;

/**
 * A value of the segment.
 *
 * @param name {@code %12} by its number in the session where it outlives the segment or came from outside, {@code v3} by
 *     its place in the segment otherwise; of a program the name of what goes in, and {@code %3} where it has none or
 *     comes out, counted from the first input
 * @param type its dtype and shape
 * @param computedBy the place of the kernel that computes it; {@link #BEFORE} for what came from outside
 * @param lastUse the place of the kernel after which its memory goes back; {@link #BEFORE} for what nothing uses, {@link
 *     #NEVER} for what outlives the segment
 * @param isStored whether its kernel stores it: what only that kernel needs it does not, nor what outlives the segment and is
 *     computed when it is asked for
 */
public record ExplainedValue(String name, TensorType type, int computedBy, int lastUse, boolean isStored) {
    /** Before the first kernel. */
    public static final int BEFORE = -1;

    /** Not within the segment. */
    public static final int NEVER = Integer.MAX_VALUE;

    ExplainedValue named(String newName) {
        return new ExplainedValue(newName, type, computedBy, lastUse, isStored);
    }
}
