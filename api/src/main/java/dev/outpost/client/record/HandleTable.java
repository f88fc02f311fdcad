package dev.outpost.client.record;

/** What a handle asks of the {@link RecordingState} that opened it. */
interface HandleTable {
    /** The machine, or the group, that the values are on. */
    RecordingOwner owner();

    /** Has a handle hold another value. */
    void rebind(ValueHandle handle, RemoteValue value);

    /** Closes a handle; closing it again does nothing. */
    void close(ValueHandle handle);

    /** Closes some of these handles. */
    void close(ValueHandle[] handles, int from, int to);
}
