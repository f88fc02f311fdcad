package dev.outpost.runtime.peer;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.peer.PeerMessage;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The way between this member and another one. What is sent arrives once and in order, until the lane closes. Thread-safe: the
 * messages of several exchanges may be under way at once.
 */
public interface PeerLane {
    /** How many bytes of an exchange may be sent to a member that has not begun it. */
    int EAGER_BYTES = 64 << 10;

    /**
     * This member begins an exchange.
     *
     * @param bytes that may come in it, beyond {@link #EAGER_BYTES}
     */
    void expect(long number, long program, long bytes);

    /** Hands a message over; waits while the connection is behind. */
    void send(PeerMessage message) throws InterruptedException;

    /**
     * Waits until the other member has begun an exchange, or has failed in it.
     *
     * @throws PeerLostException when it does not begin in time, or the lane is closed
     */
    void awaitReady(long number) throws InterruptedException;

    /**
     * The next elements of a step, or the fault in place of them.
     *
     * @throws PeerLostException when none come in time, the other member runs another program, or the lane is closed
     */
    PeerMessage receive(long number, int step) throws InterruptedException;

    /**
     * A segment that the other member passes on; waits for it. Each is taken once.
     *
     * @throws PeerLostException when it does not come in time, or the lane is closed
     */
    PeerMessage takeSegment(long number) throws InterruptedException;

    /**
     * What the other member last told of itself; asks it anew. Does not wait.
     *
     * @return empty before it has told
     */
    Optional<Slice> state();

    /** What the other member is told of this one when it asks; called on a thread of its own. */
    void sendState(Supplier<byte[]> state);

    /** This member is done with an exchange. What still comes of it is dropped. */
    void end(long number);

    /** Is told the reason as soon as the group cannot go on, at once where that is so already. */
    void whenBroken(Consumer<String> listener);

    /** Nothing more is sent. The other member gets what was sent, and then the reason. Does not wait. */
    void leave(String reason);

    /** The group cannot go on: the other member is told the reason at once. Does not wait. */
    void breakUp(String reason);
}
