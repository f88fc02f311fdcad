package dev.outpost.runtime.peer;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.peer.PeerMessage;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The connection between this member and another one. Each message arrives once and in order, until the lane closes.
 * Thread-safe: several exchanges may send messages at the same time.
 */
public interface PeerLane {
    /** The maximum number of bytes of an exchange that may be sent to a member that has not begun it. */
    int EAGER_BYTES = 64 << 10;

    /** Records that this member begins an exchange.
     *
     * @param bytes the bytes that may arrive in it, in addition to {@link #EAGER_BYTES}
     */
    void expect(long number, long program, long bytes);

    /** Sends a message. Waits while the connection is congested. */
    void send(PeerMessage message) throws InterruptedException;

    /**
     * Waits until the other member has begun an exchange, or has failed in it.
     *
     * @throws PeerLostException if the member does not begin in time, or the lane is closed
     */
    void awaitReady(long number) throws InterruptedException;

    /**
     * Waits for the next elements of a step, or the fault in place of them.
     *
     * @throws PeerLostException if no message arrives in time, the other member runs another program, or the lane is
     *     closed
     */
    PeerMessage receive(long number, int step) throws InterruptedException;

    /**
     * Waits for a segment that the other member passes on. Only one call gets each segment.
     *
     * @throws PeerLostException if the segment does not arrive in time, or the lane is closed
     */
    PeerMessage takeSegment(long number) throws InterruptedException;

    /**
     * Returns the latest state of the other member, and asks for a new one. Does not wait.
     *
     * @return empty before the first state has arrived
     */
    Optional<Slice> state();

    /**
     * Sets the source of this member's state, which is sent when the other member asks. The source is called on a
     * separate thread.
     */
    void sendState(Supplier<byte[]> state);

    /** Ends this member's part of an exchange. Later messages of the exchange are dropped. */
    void end(long number);

    /** Sets a listener that receives the reason as soon as the group is broken, immediately if it is broken already. */
    void whenBroken(Consumer<String> listener);

    /** Closes the lane. The other member gets all messages sent before, and then the reason. Does not wait. */
    void leave(String reason);

    /** Breaks the group, and sends the reason to the other member immediately. Does not wait. */
    void breakUp(String reason);
}
