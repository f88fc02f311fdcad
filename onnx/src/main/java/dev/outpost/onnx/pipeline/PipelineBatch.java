package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.types.TensorType;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;

/**
 * One run of the model on its way. It may be begun more than once, where a worker is lost on the way, and is answered once.
 * Thread-safe.
 */
final class PipelineBatch {
    private final long number;
    private final Map<String, HostTensor> inputs;
    private final Map<String, TensorType> types;
    private final CompletableFuture<SequencedMap<String, HostTensor>> answer = new CompletableFuture<>();
    private volatile int attempts;
    private volatile int failuresWithoutLoss;

    /**
     * @param inputs of the model, by name
     * @param types of all values of the model, for this batch
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

    /** How often it was begun. */
    int attempts() {
        return attempts;
    }

    /** Called by one thread at a time. */
    void begin() {
        attempts++;
    }

    /** How often it was begun anew although no machine was lost. */
    int failuresWithoutLoss() {
        return failuresWithoutLoss;
    }

    /** Called by one thread at a time. */
    void failedWithoutLoss() {
        failuresWithoutLoss++;
    }

    CompletableFuture<SequencedMap<String, HostTensor>> answer() {
        return answer;
    }
}
