package dev.outpost.models.training;

import dev.outpost.HostTensor;
import dev.outpost.types.OutpostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Reads the losses of steps. */
final class LossReader {
    private LossReader() {}

    /** Waits for a loss. If the machine has failed, throws its exception unchanged. */
    static double of(CompletableFuture<HostTensor> answer) {
        try {
            return answer.join().getDouble(0);
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof OutpostException known ? known : failure;
        }
    }
}
