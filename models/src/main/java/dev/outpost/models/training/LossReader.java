package dev.outpost.models.training;

import dev.outpost.HostTensor;
import dev.outpost.types.OutpostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Reads what steps answer. */
final class LossReader {
    private LossReader() {}

    /** Waits; what went wrong on the machine is thrown as it is. */
    static double of(CompletableFuture<HostTensor> answer) {
        try {
            return answer.join().getDouble(0);
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof OutpostException known ? known : failure;
        }
    }
}
