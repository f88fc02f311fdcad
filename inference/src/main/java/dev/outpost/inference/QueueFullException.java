package dev.outpost.inference;

import java.time.Duration;

/** Thrown if the queue of waiting texts is full. */
public final class QueueFullException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    /**
     * @param waiting the number of waiting texts
     * @param retryAfter the estimated time until the queue has room
     */
    public QueueFullException(int waiting, Duration retryAfter) {
        super("the server is busy: " + waiting + " requests wait already; try again in " + retryAfter.toSeconds()
                + " s");
        this.retryAfter = retryAfter;
    }

    /** Returns the estimated time until the queue has room, from the present rate of generation. At least a second. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
