package dev.outpost.onnx.plan;

/**
 * The cost of a transfer of values between two machines.
 *
 * @param linkSeconds the time for which the transfer occupies the link
 * @param latencySeconds the additional time until arrival, during which the link can be used
 */
public record TransferCost(double linkSeconds, double latencySeconds) {
    /** Returns the time from the start to the arrival of the last byte. */
    public double seconds() {
        return linkSeconds + latencySeconds;
    }
}
