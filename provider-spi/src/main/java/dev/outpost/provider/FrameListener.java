package dev.outpost.provider;

/** Receives what the other side of a {@link FrameChannel} sends. Called by one thread at a time per lane. */
public interface FrameListener {
    /** A frame came. The array is the listener's to keep. Blocking here holds the sender back. */
    void onFrame(Lane lane, byte[] frame);

    /**
     * The connection is gone and nothing more comes; called once, and not when this side closed the channel.
     *
     * @param reason a sentence for a person
     */
    void onClosed(String reason);
}
