package dev.outpost.runtime.peer;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Where the other members of a group find this one. */
public interface PeerRendezvous extends AutoCloseable {
    /** The address for the other members. */
    String address();

    /**
     * Connects with all other members; waits until that is done.
     *
     * @param addresses of all members, by rank
     * @param timeout how long a member waits for another one at most, here and in each exchange
     * @return the lanes by rank; null for this member
     */
    List<PeerLane> connect(List<String> addresses, Duration timeout) throws IOException, InterruptedException;

    /** Lets nobody in any more. Lanes that there are stay. */
    @Override
    void close();
}
