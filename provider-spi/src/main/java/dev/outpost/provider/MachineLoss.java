package dev.outpost.provider;

import java.util.Objects;

/**
 * The loss of a machine that was not released.
 *
 * @param cause the reason as a constant: an agreed end or a failure
 * @param reason a sentence for people about the event, and the remedy if one exists
 */
public record MachineLoss(Cause cause, String reason) {

    /** The kind of a loss. */
    public enum Cause {
        /** The machine was idle for the agreed time. A program that needs a machine again gets a new one. */
        IDLE,

        /** The machine failed, or was taken away. */
        FAILED
    }

    public MachineLoss {
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(reason, "reason");
    }

    /** Makes a loss by a failure. */
    public static MachineLoss failed(String reason) {
        return new MachineLoss(Cause.FAILED, reason);
    }
}
