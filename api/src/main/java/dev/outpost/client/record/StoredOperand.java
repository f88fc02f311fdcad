package dev.outpost.client.record;

import dev.outpost.types.Layout;

/**
 * An operand: the value that a storage holds when the instruction is recorded, seen in a layout. Another thread may write or close the
 * storage until then. In that case the operand is the value before or after the write, or the call is refused.
 *
 * @param layout over the storage's elements
 */
public record StoredOperand(Storage storage, Layout layout) {

    /** Returns true if the operand is all of its storage, in order. */
    public boolean isWhole() {
        return layout.covers(storage.handle().held().type().shape().elements());
    }

    /** Returns true if a value of the storage equals this operand, so that no view of the value is needed. */
    public boolean isAsItStands(RemoteValue value) {
        return value.type().shape().equals(layout.shape())
                && layout.covers(value.type().shape().elements());
    }
}
