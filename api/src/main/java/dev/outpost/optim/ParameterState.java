package dev.outpost.optim;

import dev.outpost.GradMode;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import java.util.LinkedHashMap;
import java.util.Map;

/** What an optimizer remembers about a parameter: how many steps it took, and tensors of the parameter's shape. */
public final class ParameterState {
    private final Parameter parameter;
    private final Map<String, Double> initialValues;
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();
    private long steps;

    ParameterState(Parameter parameter, Map<String, Double> initialValues) {
        this.parameter = parameter;
        this.initialValues = initialValues;
    }

    /** The number of the step, from 1. Kept on this side, so that it is data of an instruction and no tensor. */
    public long steps() {
        return steps;
    }

    /** The tensor that the optimizer {@linkplain Optimizer#remember remembers} under a name; no scope closes it. */
    public Tensor tensor(String name) {
        return tensors.computeIfAbsent(name, this::create);
    }

    void advance() {
        steps++;
    }

    void steps(long loaded) {
        steps = loaded;
    }

    /** Makes what is missing, if the parameter is on a machine already. */
    void create() {
        if (parameter.isPlaced() && parameter.requiresGrad()) {
            initialValues.keySet().forEach(this::tensor);
        }
    }

    void replace(String name, Tensor tensor) {
        Tensor before = tensors.put(name, label(name, tensor));
        if (before != null) {
            before.close();
        }
    }

    void forget(String name) {
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
        double value = initialValues.get(name);
        return label(
                name,
                machine.unscoped(() -> GradMode.noGrad(
                        () -> machine.full(value, like.dtype(), like.shape().toArray()))));
    }

    private Tensor label(String name, Tensor tensor) {
        tensor.named(parameter.name() + '.' + name);
        return tensor;
    }
}
