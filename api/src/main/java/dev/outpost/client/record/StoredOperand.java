package dev.outpost.client.record;

import dev.outpost.types.Layout;

/**
 * An operand that is whatever a storage holds when the instruction is recorded, seen in some layout. Another thread may write or
 * close the storage until then: the operand is the value before or after, or the call is refused.
 *
 * @param layout over the storage's elements
 */
public record StoredOperand(Storage storage, Layout layout) {

    /** Whether it is all of its storage, in order. */
    public boolean isWhole() {
        return layout.covers(storage.handle().held().type().shape().elements());
    }

    /** Whether a value of the storage is this operand as it stands, so that no view of it is needed. */
    public boolean isAsItStands(RemoteValue value) {
        return value.type().shape().equals(layout.shape())
                && layout.covers(value.type().shape().elements());
    }
}
