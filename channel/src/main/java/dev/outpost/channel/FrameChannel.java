package dev.outpost.channel;

import dev.outpost.protocol.bytes.Body;
import java.util.Arrays;

/**
 * One connection, as whole frames. What is sent on a lane arrives once and in order until the connection breaks; what was
 * on its way then may be lost. What is built on it numbers, acknowledges, and resends on the next connection.
 */
public interface FrameChannel extends AutoCloseable {
    /**
     * Sends a frame; may block while the other side is behind. The array belongs to the channel from here on. After
     * {@link #close} or a lost connection the frame is dropped silently: the {@link FrameListener} has been told.
     */
    void send(Lane lane, byte[] frame);

    /** Sends a frame that is in two pieces; the second is copied before this returns. */
    default void send(Lane lane, byte[] head, Body body) {
        byte[] frame = Arrays.copyOf(head, head.length + body.length());
        body.copyTo(frame, head.length);
        send(lane, frame);
    }

    /** Whether more should be sent now; when that changes to true, {@link FrameListener#onReady} tells. */
    default boolean isReady(Lane lane) {
        return true;
    }

    /** Ends the connection; calling it again does nothing. */
    @Override
    void close();
}
