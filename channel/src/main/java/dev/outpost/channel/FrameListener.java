package dev.outpost.channel;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Receives what the other side of a {@link FrameChannel} sends. Called by one thread at a time per lane. */
public interface FrameListener {
    /** A frame came. The array is the listener's to keep. Blocking here holds the sender back. */
    void onFrame(Lane lane, byte[] frame);

    /** As {@link #onFrame(Lane, byte[])}, for a frame that lies in buffers, one behind the other, which are only lent until this returns. */
    default void onFrame(Lane lane, ByteBuffer... lent) {
        ByteBuffer whole = ByteBuffer.allocate(
                Arrays.stream(lent).mapToInt(ByteBuffer::remaining).sum());
        for (ByteBuffer piece : lent) {
            whole.put(piece.duplicate());
        }
        onFrame(lane, whole.array());
    }

    /** The channel is {@linkplain FrameChannel#isReady ready} for more. */
    default void onReady(Lane lane) {}

    /**
     * The connection is gone and nothing more comes; called once, and not when this side closed the channel.
     *
     * @param reason a sentence for a person
     */
    void onClosed(String reason);
}
