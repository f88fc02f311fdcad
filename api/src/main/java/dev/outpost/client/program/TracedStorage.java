package dev.outpost.client.program;

import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;

/** A storage from outside as a trace knows it: what it would hold now, and whether it was read before it was written. */
public final class TracedStorage {
    private final Storage storage;
    RemoteValue entry;
    RemoteValue current;

    TracedStorage(Storage storage) {
        this.storage = storage;
    }

    public Storage storage() {
        return storage;
    }

    /** The input that stands for what it holds when the program is called; null where that is never read. */
    public RemoteValue entry() {
        return entry;
    }

    public RemoteValue current() {
        return current;
    }

    public boolean isWritten() {
        return current != entry;
    }
}
