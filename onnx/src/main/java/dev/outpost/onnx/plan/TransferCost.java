package dev.outpost.onnx.plan;

/**
 * The way of values from a machine to another one.
 *
 * @param linkSeconds so long they hold up the link, and what goes over it next
 * @param latencySeconds so much later they arrive, while the link takes others
 */
public record TransferCost(double linkSeconds, double latencySeconds) {
    /** From the beginning to the arrival of the last byte. */
    public double seconds() {
        return linkSeconds + latencySeconds;
    }
}
