package dev.outpost.client.program;

import dev.outpost.client.record.RemoteValue;

/**
 * A place from outside during a trace: its input, the tensor that it would hold now, and whether it was read before it was written.
 *
 * @param <T> a tensor
 */
public final class TracedTensorRef<T> {
    private final TensorRef<T> place;
    private final boolean isRead;
    RemoteValue entry;
    T current;

    TracedTensorRef(TensorRef<T> place, boolean isRead) {
        this.place = place;
        this.isRead = isRead;
    }

    public TensorRef<T> place() {
        return place;
    }

    /** Returns the input that stands for the place's value when the program is called, or null. */
    public RemoteValue entry() {
        return entry;
    }

    /** Returns the value that the place would hold now, or null. */
    public RemoteValue now() {
        return current == null ? null : place.whole(current);
    }

    /** Returns true if the program read the place while it held nothing. */
    public boolean isReadAsNone() {
        return isRead && entry == null;
    }
}
