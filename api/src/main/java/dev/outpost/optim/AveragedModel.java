package dev.outpost.optim;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.StepCount;
import dev.outpost.internal.Writes;
import dev.outpost.nn.Buffer;
import dev.outpost.nn.HostValues;
import dev.outpost.nn.Module;
import dev.outpost.nn.Parameter;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * An average of a model's parameters, kept on its machine and updated during training (torch.optim.swa_utils.AveragedModel). Inside of
 * {@link #using}, the model computes with the average. Used by one thread at a time.
 */
public final class AveragedModel implements AutoCloseable {
    private final Averaging averaging;
    private final SequencedMap<String, Tensor> current = new LinkedHashMap<>();
    private final SequencedMap<String, Tensor> averages = new LinkedHashMap<>();

    private final StepCount averaged = new StepCount();
    private final RemoteMachine machine;

    /** Gives all updates equal weights. Uses the model's buffers. */
    public AveragedModel(Module model) {
        this(model, Averaging.swa(), false);
    }

    /**
     * Averages a model that is on a machine.
     *
     * @param averaging the weight of an update
     * @param useBuffers true to average floating buffers as well, instead of using the model's
     */
    public AveragedModel(Module model, Averaging averaging, boolean useBuffers) {
        this.averaging = ArgumentChecks.required(averaging, "the averaging");
        Map<String, Parameter> parameters =
                ArgumentChecks.required(model, "the model").namedParameters();
        if (parameters.isEmpty()) {
            throw new OpException("averaged_model", "the model has no parameters, got " + model);
        }
        machine = parameters.values().iterator().next().tensor().machine();
        parameters.forEach((name, parameter) -> add(name, parameter.tensor()));
        if (useBuffers) {
            model.namedBuffers().forEach((name, buffer) -> addFloating(name, buffer));
        }
    }

    private void addFloating(String name, Buffer buffer) {
        if (buffer.dtype().isFloating()) {
            add(name, buffer.tensor());
        }
    }

    private void add(String name, Tensor tensor) {
        current.put(name, tensor);
        averages.put(name, machine.unscoped(() -> GradMode.noGrad(tensor::clone)));
    }

    /** Returns the number of updates. */
    public long averaged() {
        return averaged.value();
    }

    /**
     * Adds the model's present values to the average. The first values are the average. While a program is traced,
     * the update becomes a part of the program.
     */
    public void update() {
        averaged.advance();
        Number weight = averaged.number(this, count -> averaging.weight(count - 1));
        GradMode.noGrad(() -> averages.forEach(
                (name, average) -> average.lerp_(current.get(name).detach(), weight)));
    }

    /**
     * Runs a body in which the model's parameters are the averages. Afterwards the model has its own parameters
     * again.
     *
     * {@snippet file="TrainingExamplesTest.java" region="averagedModel"}
     */
    public <T> T using(Supplier<T> body) {
        exchange();
        try {
            return body.get();
        } finally {
            exchange();
        }
    }

    private void exchange() {
        GradMode.noGrad(() -> averages.forEach((name, average) -> exchange(average, current.get(name))));
    }

    private static void exchange(Tensor one, Tensor other) {
        Writes.withLocks(List.of(one, other), () -> {
            try (Tensor before = one.clone()) {
                one.copy_(other.detach());
                return other.copy_(before);
            }
        });
    }

    /**
     * Returns the averages by name, such as {@code module.0.weight}, and {@code n_averaged}, as in PyTorch; waits
     * once.
     */
    public SequencedMap<String, HostTensor> stateDict() {
        Map<String, CompletableFuture<HostTensor>> started = new LinkedHashMap<>();
        started.put("n_averaged", CompletableFuture.completedFuture(HostTensor.scalar(averaged.value())));
        averages.forEach((name, average) -> started.put("module." + name, average.fetch()));
        return HostValues.await(started);
    }

    /** Continues from a {@link #stateDict}. Buffers that are not averaged are left out. */
    public void loadStateDict(Map<String, HostTensor> state) {
        averages.forEach((name, average) -> {
            HostTensor value = state.get("module." + name);
            if (value == null || !value.shape().equals(average.shape())) {
                throw new OutpostException(
                        FaultKind.USER,
                        "averaged_model: the state must have module." + name + " of shape " + average.shape() + ", got "
                                + (value == null ? null : value.shape()));
            }
        });
        HostTensor count = ArgumentChecks.required(state.get("n_averaged"), "n_averaged");
        averages.forEach((name, average) -> {
            try (Tensor loaded = machine.tensor(state.get("module." + name).to(average.dtype()))) {
                GradMode.noGrad(() -> average.copy_(loaded));
            }
        });
        averaged.set(count.getLong(0));
    }

    /** Frees the memory of the averages. */
    @Override
    public void close() {
        averages.values().forEach(Tensor::close);
    }
}
