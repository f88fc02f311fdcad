package dev.outpost.inference;

import java.time.Duration;

/** As many texts wait as may. */
public final class QueueFullException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    /**
     * @param waiting how many wait
     * @param retryAfter when there will be room
     */
    public QueueFullException(int waiting, Duration retryAfter) {
        super("the server is busy: " + waiting + " requests wait already; try again in " + retryAfter.toSeconds()
                + " s");
        this.retryAfter = retryAfter;
    }

    /** When there will be room, by how fast texts are generated at present. At least a second. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
