package dev.outpost.client.record;

import dev.outpost.types.OutpostException;

/** The operations of values. The {@link ValueEpoch} that the values belong to implements them. */
interface ValueOwner {
    /** The machine, or the group, that has the value. */
    RecordingOwner owner();

    /** True if the value is gone, because the session that had it has ended. */
    boolean isOver();

    /** The exception for every use of a value that is gone. */
    OutpostException loss();

    /** A handle over a value that was just recorded and that nothing holds yet. */
    ValueHandle adopt(Object holder, RemoteValue value);

    /** A handle over a value that something else holds as well. */
    ValueHandle hold(Object holder, RemoteValue value);

    /** Drops a value that was just recorded. */
    void abandon(RemoteValue value);

    /** One holder less. */
    void release(RemoteValue value, boolean byProgram);

    /** The segment, or the scan, that computes the value has been sent. */
    void settle(RemoteValue value);

    /** Tells the machine what it need not keep any more. */
    void sendFrees();
}
