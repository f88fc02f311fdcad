package dev.outpost.onnx.plan;

/**
 * The speed of a worker, as measured.
 *
 * @param name of the worker
 * @param memoryBytes what a stage may take
 * @param operationsPerSecond of large products
 * @param bytesPerSecond of elementwise work: read and written
 * @param callSeconds what a call takes besides
 * @param link to the client, by which activations go
 */
public record WorkerSpeed(
        String name,
        long memoryBytes,
        double operationsPerSecond,
        double bytesPerSecond,
        double callSeconds,
        Link link) {

    /**
     * A way to a worker.
     *
     * @param toBytesPerSecond towards the worker
     * @param fromBytesPerSecond from the worker
     * @param latencySeconds one way
     */
    public record Link(double toBytesPerSecond, double fromBytesPerSecond, double latencySeconds) {}

    /** How long a node takes there. */
    public double seconds(NodeCost cost) {
        return Math.max(cost.operations() / operationsPerSecond, cost.bytes() / bytesPerSecond);
    }
}
