package dev.outpost.client.record;

/**
 * The holder of the value that a tensor and all of its views share. Storages are compared by identity. When the last
 * tensor over the storage is closed, the value is freed.
 */
public abstract class Storage {
    private final ValueHandle handle;

    /**
     * A storage over a value.
     *
     * @param isFresh true if the value was just recorded, and nothing holds it yet
     */
    protected Storage(RemoteValue value, boolean isFresh) {
        handle = isFresh ? value.adopt(this) : value.hold(this);
    }

    /** A storage over the value that {@code source} holds now. */
    protected Storage(Storage source, HandleSource handles) {
        handle = handles.share(this, source);
    }

    public final ValueHandle handle() {
        return handle;
    }
}
