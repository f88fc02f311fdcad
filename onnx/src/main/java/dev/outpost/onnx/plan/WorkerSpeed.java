package dev.outpost.onnx.plan;

/**
 * The measured speed of a worker.
 *
 * @param name the name of the worker
 * @param memoryBytes the maximum number of bytes that a stage may take
 * @param operationsPerSecond operations per second in large products
 * @param bytesPerSecond bytes per second that elementwise operations read and write
 * @param callSeconds the fixed time of a batch: the call, and receiving and sending
 * @param handlingSecondsPerByte the delay of the computation for each byte that the worker receives or sends meanwhile
 * @param link the link to the client, whose measured speed also stands for transfers between workers
 */
public record WorkerSpeed(
        String name,
        long memoryBytes,
        double operationsPerSecond,
        double bytesPerSecond,
        double callSeconds,
        double handlingSecondsPerByte,
        Link link) {
    /** The memory of a worker that does not tell it: larger than any, and small enough for sums. */
    public static final long UNKNOWN_BYTES = Long.MAX_VALUE / 4;

    /**
     * A link to a worker.
     *
     * @param toBytesPerSecond bytes per second to the worker
     * @param fromBytesPerSecond bytes per second from the worker
     * @param latencySeconds the latency in one direction
     */
    public record Link(double toBytesPerSecond, double fromBytesPerSecond, double latencySeconds) {}

    /** Returns the time for which this worker computes a node. */
    public double seconds(NodeCost cost) {
        return Math.max(cost.operations() / operationsPerSecond, cost.bytes() / bytesPerSecond);
    }
}
