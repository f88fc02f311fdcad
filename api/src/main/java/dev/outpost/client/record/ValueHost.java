package dev.outpost.client.record;

import dev.outpost.client.profile.SessionProfile;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.types.OutpostException;

/** The session of a machine as recording uses it. It has the values of an epoch until it ends. */
public interface ValueHost {
    /** Returns true if the session has ended, and its values are gone. */
    boolean isOver();

    /** Returns the exception for every use of a value that is gone. */
    OutpostException loss();

    /** Returns true if the session has ended because the machine was paused, so that a later session has its values. */
    boolean isPaused();

    RemoteMemory memory();

    SessionSettings settings();

    /** Returns the profile; null if nothing is profiled. */
    SessionProfile profile();
}
