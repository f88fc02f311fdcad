package dev.outpost.channel;

import dev.outpost.protocol.bytes.Body;
import java.util.Arrays;

/**
 * The sending side of one connection, in whole frames. Frames on a lane arrive once and in order until the connection breaks. Frames on
 * their way at that time may be lost.
 */
@FunctionalInterface
public interface FrameOutput {
    /**
     * Sends a frame. May block if the other side receives slowly, unless the implementation promises that it never blocks. The array
     * belongs to the connection after this call. After the connection's end the frame is dropped silently.
     */
    void send(Lane lane, byte[] frame);

    /** Sends a frame that is in two pieces. The second is copied before this returns. */
    default void send(Lane lane, byte[] head, Body body) {
        byte[] frame = Arrays.copyOf(head, head.length + body.length());
        body.copyTo(frame, head.length);
        send(lane, frame);
    }

    /** Returns true if the lane can take more now. The owner of the connection is notified when this changes to true. */
    default boolean isReady(Lane lane) {
        return true;
    }
}
