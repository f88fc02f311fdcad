package dev.outpost.client.program;

import dev.outpost.client.record.RemoteValue;

/**
 * A place from outside as a trace knows it: what it would hold now, and whether it was read before it was written.
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

    /** The input that stands for what it holds when the program is called, or null. */
    public RemoteValue entry() {
        return entry;
    }

    /** The value that it would hold now, or null. */
    public RemoteValue now() {
        return current == null ? null : place.whole(current);
    }

    /** Whether the program found nothing there. */
    public boolean isReadAsNone() {
        return isRead && entry == null;
    }
}
