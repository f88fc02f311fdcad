package dev.outpost.onnx;

import dev.outpost.HostTensor;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A batch that a pipeline is processing. Thread-safe. */
public final class PipelineRun {
    private final CompletableFuture<SequencedMap<String, HostTensor>> answer;

    PipelineRun(CompletableFuture<SequencedMap<String, HostTensor>> answer) {
        this.answer = answer;
    }

    /** True if the batch has finished or failed. */
    public boolean isComplete() {
        return answer.isDone();
    }

    /** Waits for the outputs. Throws the failure if there is one. */
    public ModelOutputs await() {
        try {
            return new ModelOutputs(answer.get());
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof OutpostException told) {
                throw told;
            }
            throw new OutpostException(
                    FaultKind.INTERNAL, "onnx: a batch failed: " + failure.getCause(), failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new OutpostException(FaultKind.USER, "onnx: interrupted while waiting for a batch", interrupted);
        }
    }
}
