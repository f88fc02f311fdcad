package dev.outpost.optim;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.Placing;
import dev.outpost.nn.HostValues;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Reads and writes an optimizer's memory by names. Parameters are numbered through all groups, as in PyTorch. */
final class OptimizerState {
    private static final String STEP = "step";

    private final Optimizer optimizer;
    private final List<Parameter> parameters;

    OptimizerState(Optimizer optimizer) {
        this.optimizer = optimizer;
        this.parameters = optimizer.parameters();
    }

    SequencedMap<String, HostTensor> save() {
        Map<String, CompletableFuture<HostTensor>> started = new LinkedHashMap<>();
        tensors().forEach((name, tensor) -> started.put(name, tensor.fetch()));
        Map<String, HostTensor> fetched = HostValues.await(started);
        // The machine has reported all earlier steps by now.
        optimizer.settle();
        SequencedMap<String, HostTensor> saved = new LinkedHashMap<>();
        numbers()
                .forEach((name, value) -> saved.put(
                        name,
                        name.endsWith("." + STEP)
                                ? HostTensor.scalar(value.longValue())
                                : HostTensor.scalar(value.doubleValue())));
        saved.putAll(fetched);
        return saved;
    }

    SequencedMap<String, Double> numbers() {
        SequencedMap<String, Double> numbers = new LinkedHashMap<>();
        for (int index = 0; index < optimizer.groups().size(); index++) {
            ParameterGroup group = optimizer.groups().get(index);
            numbers.put(learningRate(index), group.learningRate());
            numbers.put(baseLearningRate(index), group.baseLearningRate());
            numbers.put(weightDecay(index), group.weightDecay());
            for (String option : optimizer.options().keySet()) {
                numbers.put(option(index, option), optimizer.option(group, option));
            }
        }
        for (int index = 0; index < parameters.size(); index++) {
            numbers.put(prefix(index) + STEP, (double)
                    optimizer.state(parameters.get(index)).steps());
        }
        return numbers;
    }

    SequencedMap<String, Tensor> tensors() {
        SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
        for (int index = 0; index < parameters.size(); index++) {
            String prefix = prefix(index);
            optimizer
                    .state(parameters.get(index))
                    .tensors()
                    .forEach((name, tensor) -> tensors.put(prefix + name, tensor));
        }
        return tensors;
    }

    void load(Map<String, HostTensor> values) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        Map<String, HostTensor> others = new LinkedHashMap<>();
        ArgumentChecks.required(values, "the state").forEach((name, value) -> {
            if (value.shape().rank() == 0 && isNumber(name)) {
                numbers.put(name, value.dtype().isFloating() ? value.getDouble(0) : value.getLong(0));
            } else {
                others.put(name, value);
            }
        });
        check(numbers, others, HostTensor::shape);
        loadNumbers(numbers);
        loadTensors(others, OptimizerState::uploaded);
    }

    /** Uploads a tensor. On a group it gets the parameter's placement if it has the parameter's shape. */
    private static Tensor uploaded(Tensor parameter, HostTensor value) {
        RemoteMachine machine = parameter.machine();
        return Placing.uploads(parameter, () -> machine.unscoped(() -> machine.tensor(value)));
    }

    private static boolean isNumber(String name) {
        return name.startsWith("groups.") || name.endsWith("." + STEP);
    }

    void load(Map<String, Double> numbers, Map<String, Tensor> tensors) {
        ArgumentChecks.required(numbers, "the numbers");
        check(numbers, ArgumentChecks.required(tensors, "the tensors"), Tensor::shape);
        for (Parameter parameter : parameters) {
            RemoteMachine machine = parameter.tensor().machine();
            tensors.forEach((name, tensor) -> {
                if (tensor.machine() != machine) {
                    throw HyperparameterChecks.problem(name + " is on another machine than " + parameter + ", got "
                            + tensor.machine().name() + " and " + machine.name());
                }
            });
        }
        loadNumbers(numbers);
        loadTensors(tensors, (parameter, tensor) -> tensor);
    }

    private void loadNumbers(Map<String, Double> numbers) {
        for (int index = 0; index < optimizer.groups().size(); index++) {
            ParameterGroup group = optimizer.groups().get(index);
            group.learningRate(numbers.get(learningRate(index)));
            group.baseLearningRate(numbers.get(baseLearningRate(index)));
            group.weightDecay(numbers.get(weightDecay(index)));
            loadOptions(numbers, index, group);
        }
        for (int index = 0; index < parameters.size(); index++) {
            optimizer
                    .state(parameters.get(index))
                    .steps(numbers.get(prefix(index) + STEP).longValue());
        }
    }

    /** Loads options. States that were saved before options were a part of them have none. */
    private void loadOptions(Map<String, Double> numbers, int index, ParameterGroup group) {
        for (String name : optimizer.options().keySet()) {
            Double value = numbers.get(option(index, name));
            if (value != null && value != optimizer.option(group, name)) {
                group.option(name, value);
            }
        }
    }

    private <V> void loadTensors(Map<String, V> values, BiFunction<Tensor, V, Tensor> made) {
        for (int index = 0; index < parameters.size(); index++) {
            Parameter parameter = parameters.get(index);
            ParameterState state = optimizer.state(parameter);
            for (String name : state.memory().keySet()) {
                V value = values.get(prefix(index) + name);
                if (value != null) {
                    state.replace(name, made.apply(parameter.tensor(), value));
                }
            }
        }
    }

    /** Checks everything before anything is changed. */
    private <V> void check(Map<String, Double> numbers, Map<String, V> values, Function<V, Shape> shape) {
        for (int index = 0; index < optimizer.groups().size(); index++) {
            require(numbers, learningRate(index));
            require(numbers, baseLearningRate(index));
            require(numbers, weightDecay(index));
        }
        for (int index = 0; index < parameters.size(); index++) {
            String prefix = prefix(index);
            require(numbers, prefix + STEP);
            if (numbers.get(prefix + STEP) > 0) {
                optimizer
                        .state(parameters.get(index))
                        .memory()
                        .keySet()
                        .forEach(name -> require(values, prefix + name));
            }
            checkShapes(values, index, shape);
        }
        if (numbers.containsKey(prefix(parameters.size()) + STEP)) {
            throw HyperparameterChecks.problem(
                    "the state is of more than the " + parameters.size() + " parameters that there are");
        }
    }

    private <V> void checkShapes(Map<String, V> values, int index, Function<V, Shape> shape) {
        Parameter parameter = parameters.get(index);
        optimizer.state(parameter).memory().forEach((name, kept) -> {
            V value = values.get(prefix(index) + name);
            if (value != null && !shape.apply(value).equals(kept.shape())) {
                throw HyperparameterChecks.problem(prefix(index) + name + " has another shape than " + parameter
                        + ", got " + shape.apply(value) + " and " + kept.shape());
            }
        });
    }

    private static void require(Map<String, ?> values, String name) {
        if (!values.containsKey(name)) {
            throw HyperparameterChecks.problem("the state lacks " + name);
        }
    }

    private static String prefix(int parameter) {
        return "state." + parameter + '.';
    }

    private static String learningRate(int group) {
        return "groups." + group + ".lr";
    }

    private static String baseLearningRate(int group) {
        return "groups." + group + ".initial_lr";
    }

    private static String option(int group, String name) {
        return "groups." + group + "." + name;
    }

    private static String weightDecay(int group) {
        return "groups." + group + ".weight_decay";
    }
}
