package dev.outpost.runtime.peer;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;

/** Connects a runtime to the other members of groups. Thread-safe. */
public interface PeerNetwork {
    /**
     * Prepares a group: from now on the other members can connect.
     *
     * @param group a name that no other group has
     * @param key a secret that only the members know
     * @param rank the rank of this member
     * @param size the number of members
     */
    PeerRendezvous open(String group, String key, int rank, int size) throws IOException;

    /** Returns a network that refuses to open groups. */
    static PeerNetwork none() {
        return (group, key, rank, size) -> {
            throw new OutpostException(
                    FaultKind.USER,
                    "group: this machine reaches no other machines, so it cannot be a member of a group");
        };
    }
}
