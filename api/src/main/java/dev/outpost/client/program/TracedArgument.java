package dev.outpost.client.program;

import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;

/** The stand-in for the storage of an argument while a function is traced. */
public final class TracedArgument {
    private final Storage inner;
    private final RemoteValue entry;
    boolean captured;

    TracedArgument(Storage inner, RemoteValue entry) {
        this.inner = inner;
        this.entry = entry;
    }

    public Storage inner() {
        return inner;
    }

    /** The input. */
    public RemoteValue entry() {
        return entry;
    }

    /** The value that it would hold now. */
    public RemoteValue current() {
        return inner.handle().held();
    }

    /** Whether the function reached the storage in another way, too. */
    public boolean isCaptured() {
        return captured;
    }
}
