package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.types.TensorType;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;

/**
 * One run of the model. If workers are lost it may start several times, but it completes once. Thread-safe.
 */
final class PipelineBatch {
    private final long number;
    private final Map<String, HostTensor> inputs;
    private final Map<String, TensorType> types;
    private final CompletableFuture<SequencedMap<String, HostTensor>> answer = new CompletableFuture<>();
    private volatile int attempts;
    private volatile int failuresWithoutLoss;

    /**
     * @param inputs the inputs of the model, by name
     * @param types the types of all values of the model, for this batch
     */
    PipelineBatch(long number, Map<String, HostTensor> inputs, Map<String, TensorType> types) {
        this.number = number;
        this.inputs = inputs;
        this.types = types;
    }

    long number() {
        return number;
    }

    Map<String, HostTensor> inputs() {
        return inputs;
    }

    Map<String, TensorType> types() {
        return types;
    }

    /** Returns the number of starts. */
    int attempts() {
        return attempts;
    }

    /** Counts a start. Called by one thread at a time. */
    void begin() {
        attempts++;
    }

    /** Returns the number of failures without a lost machine. */
    int failuresWithoutLoss() {
        return failuresWithoutLoss;
    }

    /** Counts a failure without a lost machine. Called by one thread at a time. */
    void failedWithoutLoss() {
        failuresWithoutLoss++;
    }

    CompletableFuture<SequencedMap<String, HostTensor>> answer() {
        return answer;
    }
}
