package dev.outpost.channel;

/**
 * One connection, as either side has it. What is built on it numbers, acknowledges, and resends on the next connection.
 * The other direction goes to a {@link FrameListener}, which also learns of readiness and of the end.
 */
public interface FrameChannel extends FrameOutput, AutoCloseable {
    /**
     * Ends the connection once what was sent before has gone out; calling it again does nothing.
     *
     * @param reason a sentence for a person; transports that can tell the other side do
     */
    void close(String reason);

    @Override
    default void close() {
        close("the other side hung up");
    }
}
