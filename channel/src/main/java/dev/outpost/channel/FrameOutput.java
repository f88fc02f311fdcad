package dev.outpost.channel;

import dev.outpost.protocol.bytes.Body;
import java.util.Arrays;

/**
 * The way out of one connection, as whole frames. What is sent on a lane arrives once and in order until the connection
 * breaks; what was on its way then may be lost.
 */
@FunctionalInterface
public interface FrameOutput {
    /**
     * Sends a frame; may block while the other side is behind, unless the implementation promises otherwise. The array
     * belongs to the connection from here on. After the connection's end the frame is dropped silently.
     */
    void send(Lane lane, byte[] frame);

    /** Sends a frame that is in two pieces; the second is copied before this returns. */
    default void send(Lane lane, byte[] head, Body body) {
        byte[] frame = Arrays.copyOf(head, head.length + body.length());
        body.copyTo(frame, head.length);
        send(lane, frame);
    }

    /** Whether more should be sent now. Who owns the connection learns when that changes to true. */
    default boolean isReady(Lane lane) {
        return true;
    }
}
