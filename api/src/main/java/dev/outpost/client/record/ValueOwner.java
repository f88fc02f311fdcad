package dev.outpost.client.record;

import dev.outpost.types.OutpostException;

/** The operations of values. The {@link ValueEpoch} that the values belong to implements them. */
interface ValueOwner {
    /** Returns the machine, or the group, that has the value. */
    RecordingOwner owner();

    /** Returns true if the value is gone, because the session that had it has ended. */
    boolean isOver();

    /** Returns the exception for every use of a value that is gone. */
    OutpostException loss();

    /** Opens a handle over a value that was just recorded and that nothing holds yet. */
    ValueHandle adopt(Object holder, RemoteValue value);

    /** Opens a handle over a value that something else holds as well. */
    ValueHandle hold(Object holder, RemoteValue value);

    /** Releases a value that was just recorded. */
    void abandon(RemoteValue value);

    /** Removes one hold of a value. */
    void release(RemoteValue value, boolean byProgram);

    /** Records that the segment or the scan that computes the value has been sent. */
    void settle(RemoteValue value);

    /** Tells the machine which values it can free. */
    void sendFrees();
}
