package dev.outpost.optim;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.client.Arguments;
import dev.outpost.nn.HostValues;
import dev.outpost.nn.Parameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;

/** An optimizer's memory under names: parameters are counted through all groups, as in PyTorch. */
final class OptimizerState {
    private final Optimizer optimizer;
    private final List<Parameter> parameters;

    OptimizerState(Optimizer optimizer) {
        this.optimizer = optimizer;
        this.parameters = optimizer.parameters();
    }

    SequencedMap<String, HostTensor> save() {
        Map<String, CompletableFuture<HostTensor>> started = new LinkedHashMap<>();
        for (int index = 0; index < optimizer.groups().size(); index++) {
            ParameterGroup group = optimizer.groups().get(index);
            started.put(learningRate(index), done(group.learningRate()));
            started.put(baseLearningRate(index), done(group.baseLearningRate()));
            started.put(weightDecay(index), done(group.weightDecay()));
            for (String option : optimizer.options().keySet()) {
                started.put(option(index, option), done(optimizer.option(group, option)));
            }
        }
        for (int index = 0; index < parameters.size(); index++) {
            ParameterState state = optimizer.state(parameters.get(index));
            String prefix = prefix(index);
            started.put(prefix + "step", CompletableFuture.completedFuture(HostTensor.scalar(state.steps())));
            state.tensors().forEach((name, tensor) -> started.put(prefix + name, tensor.fetch()));
        }
        SequencedMap<String, HostTensor> saved = HostValues.await(started);
        // By now the machine has told of all steps before.
        optimizer.settle();
        for (int index = 0; index < parameters.size(); index++) {
            saved.put(
                    prefix(index) + "step",
                    HostTensor.scalar(optimizer.state(parameters.get(index)).steps()));
        }
        return saved;
    }

    void load(Map<String, HostTensor> values) {
        check(Arguments.required(values, "the state"));
        for (int index = 0; index < optimizer.groups().size(); index++) {
            ParameterGroup group = optimizer.groups().get(index);
            group.learningRate(values.get(learningRate(index)).getDouble(0));
            group.baseLearningRate(values.get(baseLearningRate(index)).getDouble(0));
            group.weightDecay(values.get(weightDecay(index)).getDouble(0));
            loadOptions(values, index, group);
        }
        for (int index = 0; index < parameters.size(); index++) {
            load(values, prefix(index), parameters.get(index));
        }
    }

    /** States that were saved before options were a part of them lack these. */
    private void loadOptions(Map<String, HostTensor> values, int index, ParameterGroup group) {
        for (String name : optimizer.options().keySet()) {
            HostTensor value = values.get(option(index, name));
            if (value != null && value.getDouble(0) != optimizer.option(group, name)) {
                group.option(name, value.getDouble(0));
            }
        }
    }

    private void load(Map<String, HostTensor> values, String prefix, Parameter parameter) {
        ParameterState state = optimizer.state(parameter);
        state.steps(values.get(prefix + "step").getLong(0));
        for (String name : state.memory().keySet()) {
            HostTensor value = values.get(prefix + name);
            if (value != null) {
                RemoteMachine machine = parameter.tensor().machine();
                state.replace(name, machine.unscoped(() -> machine.tensor(value)));
            }
        }
    }

    /** Before anything is changed. */
    private void check(Map<String, HostTensor> values) {
        for (int index = 0; index < optimizer.groups().size(); index++) {
            require(values, learningRate(index));
            require(values, baseLearningRate(index));
            require(values, weightDecay(index));
        }
        for (int index = 0; index < parameters.size(); index++) {
            String prefix = prefix(index);
            require(values, prefix + "step");
            boolean hasStepped = values.get(prefix + "step").getLong(0) > 0;
            if (hasStepped) {
                optimizer
                        .state(parameters.get(index))
                        .memory()
                        .keySet()
                        .forEach(name -> require(values, prefix + name));
            }
            checkShapes(values, index);
        }
        if (values.containsKey(prefix(parameters.size()) + "step")) {
            throw Settings.problem("the state is of more than the " + parameters.size() + " parameters that there are");
        }
    }

    private void checkShapes(Map<String, HostTensor> values, int index) {
        Parameter parameter = parameters.get(index);
        optimizer.state(parameter).memory().forEach((name, kept) -> {
            HostTensor value = values.get(prefix(index) + name);
            if (value != null && !value.shape().equals(kept.shape())) {
                throw Settings.problem(prefix(index) + name + " has another shape than " + parameter + ", got "
                        + value.shape() + " and " + kept.shape());
            }
        });
    }

    private static void require(Map<String, HostTensor> values, String name) {
        if (!values.containsKey(name)) {
            throw Settings.problem("the state lacks " + name);
        }
    }

    private static CompletableFuture<HostTensor> done(double value) {
        return CompletableFuture.completedFuture(HostTensor.scalar(value));
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
