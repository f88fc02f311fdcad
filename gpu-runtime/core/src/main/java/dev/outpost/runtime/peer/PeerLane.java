package dev.outpost.runtime.peer;

import dev.outpost.protocol.peer.PeerMessage;

/**
 * The way between this member and another one. What is sent arrives once and in order, until the lane closes. One thread sends
 * and receives at a time; any may close.
 */
public interface PeerLane {
    /** Hands a message over; waits while the other member is far behind. */
    void send(PeerMessage message) throws InterruptedException;

    /**
     * The next message.
     *
     * @param bytes of its elements; more are not taken
     * @throws PeerLostException when none comes in time, or the lane is closed
     */
    PeerMessage receive(long bytes) throws InterruptedException;

    /** Nothing more is sent, and what has not been received is dropped; the other member is told the reason. */
    void close(String reason);
}
