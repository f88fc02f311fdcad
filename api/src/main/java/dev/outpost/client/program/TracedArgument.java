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

    /** Returns the input value. */
    public RemoteValue entry() {
        return entry;
    }

    /** Returns the value that the storage would hold now. */
    public RemoteValue current() {
        return inner.handle().held();
    }

    /** Returns true if the function also reached the storage without the argument. */
    public boolean isCaptured() {
        return captured;
    }
}
