package dev.outpost.channel;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Receives the frames and events of a {@link FrameChannel}. Called by one thread at a time for each lane. */
public interface FrameListener {
    /** Receives a frame. The listener may keep the array. While this blocks, the sender has to wait. */
    void onFrame(Lane lane, byte[] frame);

    /** Receives a frame like {@link #onFrame(Lane, byte[])}, in consecutive buffers that are valid only until this returns. */
    default void onFrame(Lane lane, ByteBuffer... lent) {
        ByteBuffer whole = ByteBuffer.allocate(
                Arrays.stream(lent).mapToInt(ByteBuffer::remaining).sum());
        for (ByteBuffer piece : lent) {
            whole.put(piece.duplicate());
        }
        onFrame(lane, whole.array());
    }

    /** Called when the channel is {@linkplain FrameChannel#isReady ready} for more frames. */
    default void onReady(Lane lane) {}

    /**
     * Called once when the connection has ended and no more frames follow. Not called if this side closed the channel.
     *
     * @param reason a sentence for a person
     */
    void onClosed(String reason);
}
