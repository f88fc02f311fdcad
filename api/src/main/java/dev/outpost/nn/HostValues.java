package dev.outpost.nn;

import dev.outpost.HostTensor;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waits for many tensors together. */
public final class HostValues {
    private HostValues() {}

    /** Returns the values of reads that were started before, under the same keys and in the same order. */
    public static <K> SequencedMap<K, HostTensor> await(Map<K, CompletableFuture<HostTensor>> started) {
        SequencedMap<K, HostTensor> values = new LinkedHashMap<>();
        started.forEach((key, future) -> values.put(key, await(future)));
        return values;
    }

    private static HostTensor await(CompletableFuture<HostTensor> future) {
        try {
            return future.get();
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof OutpostException fault
                    ? fault
                    : new OutpostException(FaultKind.INTERNAL, "fetching failed", failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new OutpostException(FaultKind.USER, "interrupted while waiting for values", interrupted);
        }
    }
}
