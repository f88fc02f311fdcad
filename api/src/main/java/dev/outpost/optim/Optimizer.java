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
 * Changes parameters by their gradients. Every step records the same instructions. Numbers that change from step to step (learning rate,
 * bias correction) are data of instructions, so the machine plans a training step only once.
 *
 * <p>Not thread-safe.
 */
public abstract class Optimizer {
    private final List<ParameterGroup> groups;
    private final Map<String, Double> remembered = new LinkedHashMap<>();
    private final Map<String, Double> chosen = new LinkedHashMap<>();
    private final Map<Parameter, ParameterState> states = new IdentityHashMap<>();
    /** The updates, keyed by the parameters that have gradients; usually there is one for all parameters. */
    private final Map<List<ParameterState>, GuardedUpdate> updates = new HashMap<>();

    protected Optimizer(List<ParameterGroup> groups) {
        this.groups = new ArrayList<>();
        groups.forEach(this::add);
        if (parameters().isEmpty()) {
            throw HyperparameterChecks.problem("there is nothing to optimize, got no parameters");
        }
    }

    /** Puts all parameters into one group. */
    protected Optimizer(List<Parameter> parameters, double learningRate, double weightDecay) {
        this(List.of(new ParameterGroup(parameters, learningRate, weightDecay)));
    }

    /**
     * Records one parameter's update; the caller handles scopes and autograd. The step holds the write locks of the parameters and their
     * state, so this method must not wait for a thread that writes them.
     */
    protected abstract void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient);

    /**
     * Returns all settings on which {@link #update} depends, in addition to {@linkplain #options options}. They are
     * compared by {@code equals}: a program that was traced with other settings is traced again. The learning rate
     * must not be a part of them, but of a {@link ParameterState#number}.
     */
    protected Object settings() {
        return List.of();
    }

    /**
     * Returns the options of {@link #update} with their defaults: numbers by PyTorch's names, flags as 1 and 0. A group may have its own
     * ({@link ParameterGroup#option}), and they are part of the state. Called before the fields of a subclass are initialized.
     */
    protected Map<String, Double> defaults() {
        return Map.of();
    }

    /** Returns the options by name, with their values for groups that do not set them. */
    public final SequencedMap<String, Double> options() {
        SequencedMap<String, Double> all = new TreeMap<>(defaults());
        all.putAll(chosen);
        return all;
    }

    /** Sets an option for all groups that do not set it themselves. */
    protected final void option(String name, double value) {
        if (!defaults().containsKey(name)) {
            throw HyperparameterChecks.problem(getClass().getSimpleName() + " has no option " + name);
        }
        chosen.put(name, value);
        states.values().forEach(ParameterState::refresh);
    }

    /** Returns the value of an option for a group. */
    protected final double option(ParameterGroup group, String name) {
        Double own = group.options().get(name);
        return own != null ? own : chosen.getOrDefault(name, defaults().get(name));
    }

    /** Returns true if a flag is set for a group. */
    protected final boolean isSet(ParameterGroup group, String name) {
        return option(group, name) != 0;
    }

    /** Returns the gradient (or its negative if the group is {@code maximize}d) plus the weight decay times the parameter. */
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
     * Keeps a tensor of each parameter's shape from step to step. Call it when the optimizer is set up, so that the first step finds the
     * tensors like every other step.
     */
    protected final void remember(String name, double initialValue) {
        remembered.put(name, initialValue);
        states.values().forEach(ParameterState::refresh);
    }

    /** Stops keeping a tensor. */
    protected final void forget(String name) {
        remembered.remove(name);
        states.values().forEach(ParameterState::refresh);
    }

    /**
     * Returns the memory that is kept for a parameter of this shape in a group: the names given to {@link #remember}, unless a subclass
     * overrides this.
     */
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        Map<String, Remembered> memory = new LinkedHashMap<>();
        remembered.forEach((name, value) -> memory.put(name, new Remembered(value, shape)));
        return memory;
    }

    /** Returns for each name a tensor of the parameter's shape that begins with zeros. */
    static Map<String, Remembered> zeros(Shape shape, String... names) {
        Map<String, Remembered> memory = new LinkedHashMap<>();
        for (String name : names) {
            memory.put(name, new Remembered(0, shape));
        }
        return memory;
    }

    /** Returns the groups of parameters, in the order in which they were added. */
    public final List<ParameterGroup> groups() {
        return List.copyOf(groups);
    }

    /** Adds a group of parameters, for example of layers that are trained from now on. */
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

    /**
     * Drops all gradients, so that the next backward begins without gradients.
     *
     * {@snippet file="TrainingExamplesTest.java" region="step"}
     */
    public final void zeroGrad() {
        parameters().forEach(Parameter::zeroGrad);
    }

    /**
     * Updates every parameter that has a gradient: all of them or none. If a gradient was lost by a failure on the
     * machine, no parameter, moment or step count changes. The failure is thrown when the program reads the loss or a
     * gradient. If the program reads neither, the first step after the machine has reported the failure throws it; that
     * later step is still executed. Ends the segment, unless the caller has opened a scope.
     *
     * {@snippet file="TrainingExamplesTest.java" region="step"}
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

    /** Corrects the counts of steps that the machine left out. Throws the reason unless the program knows it. */
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

    /** Corrects the counts of steps that the machine left out, as far as it has reported them. */
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
        List<Tensor> written = written(due);
        updated.forEach(ParameterState::advance);
        update.run(gradients(due), written, gradients -> {
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

    /** Returns the parameters and their remembered tensors. Creates missing tensors, so that the first update is like every other. */
    private static List<Tensor> written(List<Due> due) {
        List<Tensor> written = new ArrayList<>();
        for (Due one : due) {
            one.state.create();
            written.add(one.tensor);
            written.addAll(one.state.tensors().values());
        }
        return written;
    }

    /**
     * Returns the numbers and tensors from which training can continue later, such as {@code state.0.exp_avg}; waits
     * once.
     *
     * {@snippet file="TrainingExamplesTest.java" region="optimizerState"}
     */
    public final SequencedMap<String, HostTensor> stateDict() {
        return new OptimizerState(this).save();
    }

    /**
     * Continues from a {@link #stateDict}. The parameters must be in the same groups, with the same shapes.
     *
     * {@snippet file="TrainingExamplesTest.java" region="optimizerState"}
     */
    public final void loadStateDict(Map<String, HostTensor> stateDict) {
        new OptimizerState(this).load(stateDict);
    }

    /** Returns the numbers of a {@link #stateDict}, by the same names. The client has them, so this does not wait. */
    public final SequencedMap<String, Double> stateNumbers() {
        return new OptimizerState(this).numbers();
    }

    /**
     * Returns the tensors of a {@link #stateDict}, by the same names, on the machine. They belong to the optimizer: the next step changes
     * them, and the caller must not close them.
     */
    public final SequencedMap<String, Tensor> stateTensors() {
        return new OptimizerState(this).tensors();
    }

    /**
     * Continues from {@link #stateNumbers} and {@link #stateTensors}. Takes ownership of the tensors.
     *
     * @param tensors the tensors, on the machine of the parameters
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
