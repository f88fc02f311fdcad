package dev.outpost.client.program;

import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;

/** A storage from outside during a trace: its input, and the value that it would hold now. */
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

    /** Returns the input that stands for the storage's value when the program is called; null if the program never reads it. */
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
