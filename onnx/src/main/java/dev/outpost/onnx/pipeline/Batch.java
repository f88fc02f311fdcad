package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * One run of the model on its way. It may be begun more than once, where a worker is lost on the way, and is answered once.
 * Used by one stage after the other.
 */
final class Batch {
    private final long number;
    private final Map<String, HostTensor> inputs;
    private final Map<String, TensorType> types;
    private final CompletableFuture<SequencedMap<String, HostTensor>> answer = new CompletableFuture<>();
    private volatile int attempts;

    /** What is there of it in one attempt. */
    final class Attempt {
        private final Map<String, CompletableFuture<Activation>> values = new LinkedHashMap<>();

        private Attempt() {
            inputs.forEach(
                    (name, tensor) -> values.put(name, CompletableFuture.completedFuture(Activation.plain(tensor))));
        }

        Batch batch() {
            return Batch.this;
        }

        Map<String, TensorType> types() {
            return types;
        }

        /** Waits for values that an earlier stage makes; fails as that did. */
        List<Activation> await(List<String> names) throws InterruptedException, ExecutionException {
            List<Activation> found = new ArrayList<>();
            for (String name : names) {
                CompletableFuture<Activation> value;
                synchronized (values) {
                    value = values.get(name);
                }
                found.add(value.get());
            }
            return found;
        }

        void put(Map<String, CompletableFuture<Activation>> made) {
            synchronized (values) {
                values.putAll(made);
            }
        }
    }

    Batch(long number, Map<String, HostTensor> inputs, Map<String, TensorType> types) {
        this.number = number;
        this.inputs = inputs;
        this.types = types;
    }

    long number() {
        return number;
    }

    /** How often it was begun. */
    int attempts() {
        return attempts;
    }

    Attempt begin() {
        attempts++;
        return new Attempt();
    }

    CompletableFuture<SequencedMap<String, HostTensor>> answer() {
        return answer;
    }

    boolean isAnswered() {
        return answer.isDone();
    }
}
