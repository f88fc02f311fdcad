package dev.outpost.client.record;

/** The operations of handles. The {@link RecordingState} that opens the handles implements them. */
interface HandleTable {
    /** Returns the machine, or the group, that the values are on. */
    RecordingOwner owner();

    /** Makes a handle hold another value. */
    void rebind(ValueHandle handle, RemoteValue value);

    /** Closes a handle; closing it again does nothing. */
    void close(ValueHandle handle);

    void close(ValueHandle[] handles, int from, int to);
}
