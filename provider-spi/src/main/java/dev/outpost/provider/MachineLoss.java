package dev.outpost.provider;

import java.util.Objects;

/**
 * How a machine went away without being released.
 *
 * @param cause whether it was ended as agreed or failed
 * @param reason a sentence for a person: what happened and, where there is one, the remedy
 */
public record MachineLoss(Cause cause, String reason) {

    /** The meaning of a loss for the machines after it. */
    public enum Cause {
        /** It was not used for as long as had been agreed; whoever needs one again simply gets another. */
        IDLE,

        /** It failed, or somebody took it away. */
        FAILED
    }

    public MachineLoss {
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(reason, "reason");
    }

    /** A loss that nobody agreed to. */
    public static MachineLoss failed(String reason) {
        return new MachineLoss(Cause.FAILED, reason);
    }
}
