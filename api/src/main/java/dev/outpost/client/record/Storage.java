package dev.outpost.client.record;

/**
 * The holder of the value that a tensor and all of its views share. Two storages are the same where they are the same
 * object. When no tensor has it any more, the value is freed.
 */
public abstract class Storage {
    private final ValueHandle handle;

    /**
     * Over a value.
     *
     * @param isFresh whether the value was just recorded, and nothing holds it yet
     */
    protected Storage(RemoteValue value, boolean isFresh) {
        handle = isFresh ? value.adopt(this) : value.hold(this);
    }

    /** Over what another one holds now. */
    protected Storage(Storage source, HandleSource handles) {
        handle = handles.share(this, source);
    }

    public final ValueHandle handle() {
        return handle;
    }
}
