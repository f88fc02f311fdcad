package dev.outpost.optim;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tracing;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.GuardedUpdate;
import dev.outpost.nn.Parameter;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * Changes parameters by their gradients. Every step records the same instructions; what changes from step to step
 * (learning rate, bias correction) are numbers inside them, so the machine plans a training step once.
 */
public abstract class Optimizer {
    private final List<ParameterGroup> groups;
    private final Map<String, Double> remembered = new LinkedHashMap<>();
    private final Map<String, Double> chosen = new LinkedHashMap<>();
    private final Map<Parameter, ParameterState> states = new IdentityHashMap<>();
    /** By the parameters that have gradients, mostly all. */
    private final Map<List<ParameterState>, GuardedUpdate> updates = new HashMap<>();

    protected Optimizer(List<ParameterGroup> groups) {
        this.groups = new ArrayList<>();
        groups.forEach(this::add);
        if (parameters().isEmpty()) {
            throw HyperparameterChecks.problem("there is nothing to optimize, got no parameters");
        }
    }

    /** One group of all parameters. */
    protected Optimizer(List<Parameter> parameters, double learningRate, double weightDecay) {
        this(List.of(new ParameterGroup(parameters, learningRate, weightDecay)));
    }

    /**
     * Records one parameter's update; the caller handles scopes and autograd. The step holds the write locks of the parameters and their
     * state, so this method must not wait for a thread that writes them.
     */
    protected abstract void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient);

    /**
     * All that {@link #update} depends on beside {@linkplain #options options}, compared by {@code equals}: a program
     * that was traced with other settings is traced again. The learning rate is no part of it, and belongs into a
     * {@link ParameterState#number}.
     */
    protected Object settings() {
        return List.of();
    }

    /**
     * The options that {@link #update} goes by, with their defaults: numbers by PyTorch's names, flags as 1 and 0. A group may have
     * its own ({@link ParameterGroup#option}), and they are part of the state. Asked before a subclass's fields are there.
     */
    protected Map<String, Double> defaults() {
        return Map.of();
    }

    /** The options there are, by name, and what they are where a group has none of its own. */
    public final SequencedMap<String, Double> options() {
        SequencedMap<String, Double> all = new TreeMap<>(defaults());
        all.putAll(chosen);
        return all;
    }

    /** Sets an option for all groups that have none of their own. */
    protected final void option(String name, double value) {
        if (!defaults().containsKey(name)) {
            throw HyperparameterChecks.problem(getClass().getSimpleName() + " has no option " + name);
        }
        chosen.put(name, value);
        states.values().forEach(ParameterState::refresh);
    }

    /** The value of an option for a group. */
    protected final double option(ParameterGroup group, String name) {
        Double own = group.options().get(name);
        return own != null ? own : chosen.getOrDefault(name, defaults().get(name));
    }

    /** Whether a flag is set for a group. */
    protected final boolean isSet(ParameterGroup group, String name) {
        return option(group, name) != 0;
    }

    /** The gradient, or its negative where a group is {@code maximize}d, plus the weight decay times the parameter. */
    final Tensor decayed(ParameterGroup group, Tensor parameter, Tensor gradient) {
        Tensor descent = ascent(group, gradient);
        return group.weightDecay() == 0 ? descent : descent.add(parameter, group.weightDecay());
    }

    final Tensor ascent(ParameterGroup group, Tensor gradient) {
        return isSet(group, Options.MAXIMIZE) ? gradient.neg() : gradient;
    }

    /** Shrinks a parameter by learning rate times weight decay. */
    final void decay(ParameterGroup group, ParameterState state, Tensor parameter) {
        if (group.weightDecay() != 0) {
            parameter.mul_(
                    state.number(List.of(group, "decay"), step -> 1 - group.learningRate() * group.weightDecay()));
        }
    }

    private void requireUsed(ParameterGroup group) {
        for (String name : group.options().keySet()) {
            if (!defaults().containsKey(name)) {
                boolean isBeta = name.equals(Options.BETA1) || name.equals(Options.BETA2);
                throw HyperparameterChecks.problem(getClass().getSimpleName() + " has no " + (isBeta ? "betas" : name)
                        + ", got a group with "
                        + (isBeta
                                ? group.betas().orElseThrow()
                                : group.options().get(name)));
            }
        }
    }

    private Object everySetting() {
        List<Object> all = new ArrayList<>(List.of(settings(), options(), groups.size()));
        groups.forEach(group -> all.add(group.settings()));
        return all;
    }

    /**
     * Keeps a tensor of each parameter's shape from step to step. Called when an optimizer is set up, so that the first
     * step finds them as every other does.
     */
    protected final void remember(String name, double initialValue) {
        remembered.put(name, initialValue);
        states.values().forEach(ParameterState::refresh);
    }

    /** No longer keeps it. */
    protected final void forget(String name) {
        remembered.remove(name);
        states.values().forEach(ParameterState::refresh);
    }

    /**
     * The memory kept for a parameter of that shape in a group: the names given to {@link #remember} unless this says
     * otherwise.
     */
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        Map<String, Remembered> memory = new LinkedHashMap<>();
        remembered.forEach((name, value) -> memory.put(name, new Remembered(value, shape)));
        return memory;
    }

    /** For each name a tensor of the parameter's shape that begins with zeros. */
    static Map<String, Remembered> zeros(Shape shape, String... names) {
        Map<String, Remembered> memory = new LinkedHashMap<>();
        for (String name : names) {
            memory.put(name, new Remembered(0, shape));
        }
        return memory;
    }

    public final List<ParameterGroup> groups() {
        return List.copyOf(groups);
    }

    /** Adds parameters, as of layers that are trained from now on. */
    public final void add(ParameterGroup group) {
        requireUsed(group);
        List<ParameterState> added = new ArrayList<>();
        for (Parameter parameter : group.parameters()) {
            ParameterState state = new ParameterState(parameter, () -> new TreeMap<>(memory(group, parameter.shape())));
            if (states.putIfAbsent(parameter, state) != null) {
                throw HyperparameterChecks.problem(parameter + " is in the optimizer already");
            }
            added.add(state);
        }
        groups.add(group);
        added.forEach(ParameterState::create);
    }

    /** Sets the learning rate of all groups. */
    public final void learningRate(double learningRate) {
        groups.forEach(group -> group.learningRate(learningRate));
    }

    /** Drops all gradients. */
    public final void zeroGrad() {
        parameters().forEach(Parameter::zeroGrad);
    }

    /**
     * Updates every parameter that has a gradient: all of them or none. Where a gradient was lost to a failure on the machine,
     * no parameter, moment or step count changes. The failure is thrown where the loss or a gradient is read, or else by the
     * first step after the machine has told of it, which happens itself. Ends the segment, unless a scope of the caller's is
     * open.
     */
    public final void step() {
        RemoteMachine machine = machine();
        groups.forEach(this::requireUsed);
        Tracing.assume(this, this::everySetting);
        GradMode.noGrad(() -> {
            try (var scope = machine.scope()) {
                update();
            }
        });
        machine.endStep();
        report();
    }

    /** Takes note of steps that the machine left out; throws why, unless the program knows. */
    private void report() {
        updates.values().forEach(GuardedUpdate::report);
    }

    private RemoteMachine machine() {
        List<Parameter> all = parameters();
        all.forEach(Optimizer::requirePlaced);
        return all.getFirst().tensor().machine();
    }

    private static void requirePlaced(Parameter parameter) {
        if (!parameter.isPlaced()) {
            throw new OpException(
                    "step",
                    parameter + " was never placed on a machine, so it has no values to change; call to(machine) on its"
                            + " module before the first step");
        }
    }

    /** A parameter that is updated. */
    private record Due(ParameterGroup group, ParameterState state, Tensor tensor, Tensor gradient) {}

    /** Corrects the counts of steps that the machine left out, as far as it has said. */
    final void settle() {
        updates.values().forEach(GuardedUpdate::settle);
    }

    private void update() {
        settle();
        List<Due> due = due();
        if (due.isEmpty()) {
            return;
        }
        List<ParameterState> updated = due.stream().map(Due::state).toList();
        GuardedUpdate update = updates.computeIfAbsent(
                updated, same -> new GuardedUpdate(left -> same.forEach(state -> state.undo(left))));
        updated.forEach(ParameterState::advance);
        update.run(gradients(due), written(due), gradients -> {
            for (int index = 0; index < due.size(); index++) {
                Due one = due.get(index);
                update(one.group, one.state, one.tensor, gradients.get(index));
            }
        });
    }

    private List<Due> due() {
        List<Due> due = new ArrayList<>();
        for (ParameterGroup group : groups) {
            for (Parameter parameter : group.parameters()) {
                Tensor gradient = parameter.grad();
                if (gradient != null) {
                    due.add(new Due(group, states.get(parameter), parameter.tensor(), gradient));
                }
            }
        }
        return due;
    }

    private static List<Tensor> gradients(List<Due> due) {
        return due.stream().map(Due::gradient).toList();
    }

    /** Parameters, and what is remembered of them; the first update finds all of it, as every other does. */
    private static List<Tensor> written(List<Due> due) {
        List<Tensor> written = new ArrayList<>();
        for (Due one : due) {
            one.state.create();
            written.add(one.tensor);
            written.addAll(one.state.tensors().values());
        }
        return written;
    }

    /** Numbers and tensors to go on from later, as {@code state.0.exp_avg}; waits once. */
    public final SequencedMap<String, HostTensor> stateDict() {
        return new OptimizerState(this).save();
    }

    /** Goes on from a {@link #stateDict}. The parameters must be as many, in the same groups and of the same shapes. */
    public final void loadStateDict(Map<String, HostTensor> stateDict) {
        new OptimizerState(this).load(stateDict);
    }

    /** The numbers of a {@link #stateDict}, by the same names. They are on this side, so nothing is waited for. */
    public final SequencedMap<String, Double> stateNumbers() {
        return new OptimizerState(this).numbers();
    }

    /**
     * The tensors of a {@link #stateDict}, by the same names, on the machine. They are the optimizer's own: the next step changes
     * them, and they are not to be closed.
     */
    public final SequencedMap<String, Tensor> stateTensors() {
        return new OptimizerState(this).tensors();
    }

    /**
     * Goes on from {@link #stateNumbers} and {@link #stateTensors}. Takes the tensors over.
     *
     * @param tensors on the machine of the parameters
     */
    public final void loadState(Map<String, Double> numbers, Map<String, Tensor> tensors) {
        new OptimizerState(this).load(numbers, tensors);
    }

    final List<Parameter> parameters() {
        return groups.stream().flatMap(group -> group.parameters().stream()).toList();
    }

    final ParameterState state(Parameter parameter) {
        return Objects.requireNonNull(states.get(parameter));
    }
}
