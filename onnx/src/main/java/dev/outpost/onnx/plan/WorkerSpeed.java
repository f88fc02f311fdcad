package dev.outpost.onnx.plan;

/**
 * The speed of a worker, as measured.
 *
 * @param name of the worker
 * @param memoryBytes what a stage may take
 * @param operationsPerSecond of large products
 * @param bytesPerSecond of elementwise work: read and written
 * @param callSeconds what a batch takes besides: that a call begins and ends, and that there is something to take and to send
 * @param handlingSecondsPerByte by how much a byte that the worker takes or sends delays what it computes meanwhile
 * @param link to the client, by which activations go
 */
public record WorkerSpeed(
        String name,
        long memoryBytes,
        double operationsPerSecond,
        double bytesPerSecond,
        double callSeconds,
        double handlingSecondsPerByte,
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
