package dev.outpost.channel;

/**
 * One connection, on either side. The layer above numbers frames, acknowledges them, and sends them again on the next
 * connection. A {@link FrameListener} receives the frames of the other side, and is notified of readiness and of the
 * end.
 */
public interface FrameChannel extends FrameOutput, AutoCloseable {
    /**
     * Ends the connection after the frames that were sent before. Calling it again does nothing.
     *
     * @param reason a sentence for a person; sent to the other side if the transport supports it
     */
    void close(String reason);

    @Override
    default void close() {
        close("the other side hung up");
    }
}
