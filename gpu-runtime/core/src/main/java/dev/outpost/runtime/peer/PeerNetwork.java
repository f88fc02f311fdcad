package dev.outpost.runtime.peer;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;

/** How a runtime reaches the other members of groups. Thread-safe. */
public interface PeerNetwork {
    /**
     * Makes ready for the other members of a group.
     *
     * @param group a name that no other group has
     * @param key a secret that all members know, and nobody else
     * @param rank which member this is
     * @param size how many members there are
     */
    PeerRendezvous open(String group, String key, int rank, int size) throws IOException;

    /** That of a runtime that was not given any. */
    static PeerNetwork none() {
        return (group, key, rank, size) -> {
            throw new OutpostException(
                    FaultKind.USER,
                    "group: this machine reaches no other machines, so it cannot be a member of a group");
        };
    }
}
