package dev.outpost.onnx.plan;

/**
 * A stage of a plan.
 *
 * @param worker its place among the workers
 * @param first its first node
 * @param end behind its last node
 * @param seconds how long it computes a batch
 * @param handlingSeconds what the worker's processors spend on taking and sending values while they compute
 * @param transfer the way of what it makes to the next stage, or to the client
 * @param weightBytes of its weights
 * @param memoryBytes what it takes: weights, what is copied while they are opened, and activations
 * @param outBytes what it sends on
 */
public record StagePlan(
        int worker,
        int first,
        int end,
        double seconds,
        double handlingSeconds,
        TransferCost transfer,
        long weightBytes,
        long memoryBytes,
        long outBytes) {

    /** How long a batch keeps the worker from computing the next one. */
    public double busySeconds() {
        return seconds + handlingSeconds;
    }
}
