package dev.outpost.client.record;

import dev.outpost.client.profile.SessionProfile;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.types.OutpostException;

/** The session of a machine, as recording sees it: it has the values of an epoch until it ends. */
public interface ValueHost {
    /** True if the session has ended, and its values are gone. */
    boolean isOver();

    /** The exception for every use of a value that is gone. */
    OutpostException loss();

    RemoteMemory memory();

    SessionSettings settings();

    /** Null if nothing is profiled. */
    SessionProfile profile();
}
