package dev.outpost.runtime.peer;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The place at which the other members of a group connect to this one. */
public interface PeerRendezvous extends AutoCloseable {
    /** Returns the address for the other members. */
    String address();

    /**
     * Connects with all other members, and waits until that is done.
     *
     * @param addresses the addresses of all members, by rank
     * @param timeout the longest wait for another member, here and in each exchange
     * @return the lanes by rank; null for this member
     */
    List<PeerLane> connect(List<String> addresses, Duration timeout) throws IOException, InterruptedException;

    /** Accepts no more members. Existing lanes stay. */
    @Override
    void close();
}
