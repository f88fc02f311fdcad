package dev.outpost.onnx.plan;

/**
 * A stage of a plan.
 *
 * @param worker the index of the worker
 * @param first the first node
 * @param end the node after the last one
 * @param seconds the time of computing a batch
 * @param handlingSeconds processor time of the worker for receiving and sending values, during the computation
 * @param transfer the transfer of the outputs to the next stage or to the client
 * @param weightBytes bytes of the weights
 * @param memoryBytes bytes of memory: weights, copies while they are opened, and activations
 * @param outBytes bytes of the outputs
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

    /** Returns the time for which a batch keeps the worker busy. */
    public double busySeconds() {
        return seconds + handlingSeconds;
    }
}
