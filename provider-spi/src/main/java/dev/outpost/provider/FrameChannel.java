package dev.outpost.provider;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One connection, as whole frames. It promises little: frames may be lost, repeated or reordered, as by a network that
 * breaks and comes back. What is built on it numbers, acknowledges and resends.
 */
public interface FrameChannel extends AutoCloseable {
    /**
     * Sends a frame; may block while the other side is behind. The array belongs to the channel from here on. After
     * {@link #close} or a lost connection the frame is dropped silently: the {@link FrameListener} has been told.
     */
    void send(Lane lane, byte[] frame);

    /** Sends a frame that is in two pieces. Of the second nothing changes until the frame is acknowledged. */
    default void send(Lane lane, byte[] head, ByteBuffer body) {
        byte[] frame = Arrays.copyOf(head, head.length + body.remaining());
        body.duplicate().get(frame, head.length, body.remaining());
        send(lane, frame);
    }

    /** Whether all that is sent arrives, once and in order, until the connection breaks: nothing is repeated then. */
    default boolean isReliable() {
        return false;
    }

    /** Ends the connection; calling it again does nothing. */
    @Override
    void close();
}
