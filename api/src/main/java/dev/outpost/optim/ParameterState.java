package dev.outpost.optim;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tracing;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.record.ActiveSignal;
import dev.outpost.internal.Placing;
import dev.outpost.internal.StepCount;
import dev.outpost.nn.Parameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToDoubleFunction;
import java.util.function.Supplier;

/** An optimizer's memory of a parameter: the number of its steps, and tensors of the parameter's shape. */
public final class ParameterState {
    private final Parameter parameter;
    private final Supplier<Map<String, Remembered>> memory;
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();
    private final StepCount steps = new StepCount();

    ParameterState(Parameter parameter, Supplier<Map<String, Remembered>> memory) {
        this.parameter = parameter;
        this.memory = memory;
    }

    /**
     * Returns the number of the step, from 1. The client keeps the number, so it is data of an instruction, not a
     * tensor.
     */
    public long steps() {
        return steps.value();
    }

    /**
     * Returns a number that depends on the step, the learning rate or another value that may change from step to step. A program computes
     * it anew for each run.
     *
     * @param name the identity of the formula; equal names mean equal formulas
     * @param formula computes the number from the number of the step
     */
    public Number number(Object name, LongToDoubleFunction formula) {
        return steps.number(name, formula);
    }

    /** Returns the tensor that the optimizer {@linkplain Optimizer#remember remembers} under a name. Scopes do not close it. */
    public Tensor tensor(String name) {
        return tensors.computeIfAbsent(name, this::create);
    }

    void advance() {
        steps.advance();
    }

    /** Subtracts steps that were counted but did not happen. */
    void undo(long fewer) {
        steps.undo(fewer);
    }

    void steps(long loaded) {
        steps.set(loaded);
    }

    /** Creates missing tensors, if the parameter is on a machine already. */
    void create() {
        if (parameter.isPlaced() && parameter.requiresGrad()) {
            memory.get().keySet().forEach(this::tensor);
        }
    }

    /** Creates missing tensors, and drops those that are no longer kept. */
    void refresh() {
        Map<String, Remembered> kept = memory.get();
        List.copyOf(tensors.keySet()).stream()
                .filter(name -> !kept.containsKey(name))
                .forEach(this::forget);
        create();
    }

    /** Returns the remembered tensors, by name. */
    Map<String, Remembered> memory() {
        return memory.get();
    }

    void replace(String name, Tensor tensor) {
        Tensor before = tensors.put(name, label(name, tensor));
        if (before != null) {
            before.close();
        }
    }

    private void forget(String name) {
        Tensor before = tensors.remove(name);
        if (before != null) {
            before.close();
        }
    }

    Map<String, Tensor> tensors() {
        return tensors;
    }

    private Tensor create(String name) {
        Tensor like = parameter.tensor();
        RemoteMachine machine = like.machine();
        Remembered kept = memory.get().get(name);
        return label(
                name,
                Tracing.outside(() ->
                        machine.unscoped(() -> ActiveSignal.outside(() -> GradMode.noGrad(() -> create(like, kept))))));
    }

    /** Creates a tensor. On a group it gets the parameter's placement if it has the parameter's shape. */
    private static Tensor create(Tensor like, Remembered kept) {
        Tensor made =
                like.machine().full(kept.first(), like.dtype(), kept.shape().toArray());
        return kept.shape().equals(like.shape()) ? Placing.as(like, made) : made;
    }

    private Tensor label(String name, Tensor tensor) {
        tensor.named(parameter.name() + '.' + name);
        return tensor;
    }
}
