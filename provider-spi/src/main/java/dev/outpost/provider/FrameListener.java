package dev.outpost.provider;

import java.util.Arrays;

/** Receives what the other side of a {@link FrameChannel} sends. Called by one thread at a time per lane. */
public interface FrameListener {
    /** A frame came. The array is the listener's to keep. Blocking here holds the sender back. */
    void onFrame(Lane lane, byte[] frame);

    /** As {@link #onFrame(Lane, byte[])}, for the first bytes of an array that is only lent until this returns. */
    default void onFrame(Lane lane, byte[] lent, int length) {
        onFrame(lane, Arrays.copyOf(lent, length));
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
