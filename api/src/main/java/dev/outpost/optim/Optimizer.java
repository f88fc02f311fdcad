package dev.outpost.optim;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tracing;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.GuardedUpdate;
import dev.outpost.nn.Parameter;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * Changes parameters by their gradients. Every step records the same instructions; what changes from step to step
 * (learning rate, bias correction) are numbers inside them, so the machine plans a training step once.
 */
public abstract class Optimizer {
    private final List<ParameterGroup> groups;
    private final Map<String, Double> remembered = new LinkedHashMap<>();
    private final Map<Parameter, ParameterState> states = new IdentityHashMap<>();
    /** By the parameters that have gradients, mostly all. */
    private final Map<List<ParameterState>, GuardedUpdate> updates = new HashMap<>();

    protected Optimizer(List<ParameterGroup> groups) {
        this.groups = new ArrayList<>();
        groups.forEach(this::add);
        if (parameters().isEmpty()) {
            throw Settings.problem("there is nothing to optimize, got no parameters");
        }
    }

    /** One group of all parameters. */
    protected Optimizer(List<Parameter> parameters, double learningRate, double weightDecay) {
        this(List.of(new ParameterGroup(parameters, learningRate, weightDecay)));
    }

    /** Records one parameter's update; scopes and autograd are taken care of. */
    protected abstract void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient);

    /**
     * Whatever else {@link #update} depends on, told by {@code equals}: a program that was traced with other settings is
     * traced again. The learning rate is no part of it, and belongs into a {@link ParameterState#number}.
     */
    protected Object settings() {
        return List.of();
    }

    /** Whether {@link #update} goes by {@link ParameterGroup#betas()}; groups that have some are refused otherwise. */
    protected boolean hasBetas() {
        return false;
    }

    /** Whether {@link #update} goes by {@link ParameterGroup#eps()}; groups that have one are refused otherwise. */
    protected boolean hasEps() {
        return false;
    }

    private void requireUsed(ParameterGroup group) {
        if (group.betas().isPresent() && !hasBetas()) {
            throw Settings.problem(getClass().getSimpleName() + " has no betas, got a group with "
                    + group.betas().get());
        }
        if (group.eps().isPresent() && !hasEps()) {
            throw Settings.problem(getClass().getSimpleName() + " has no eps, got a group with "
                    + group.eps().getAsDouble());
        }
    }

    private Object everySetting() {
        List<Object> all = new ArrayList<>(List.of(settings(), groups.size()));
        groups.forEach(group -> all.add(group.settings()));
        return all;
    }

    /**
     * Keeps a tensor of each parameter's shape from step to step. Called when an optimizer is set up, so that the first
     * step finds them as every other does.
     */
    protected final void remember(String name, double initialValue) {
        remembered.put(name, initialValue);
        states.values().forEach(ParameterState::create);
    }

    /** No longer keeps it. */
    protected final void forget(String name) {
        remembered.remove(name);
        states.values().forEach(state -> state.forget(name));
    }

    public final List<ParameterGroup> groups() {
        return List.copyOf(groups);
    }

    /** Adds parameters, as of layers that are trained from now on. */
    public final void add(ParameterGroup group) {
        requireUsed(group);
        for (Parameter parameter : group.parameters()) {
            ParameterState state = new ParameterState(parameter, remembered);
            if (states.putIfAbsent(parameter, state) != null) {
                throw Settings.problem(parameter + " is in the optimizer already");
            }
            state.create();
        }
        groups.add(group);
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
                updated, same -> new GuardedUpdate(left -> same.forEach(state -> state.takeBack(left))));
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

    final List<Parameter> parameters() {
        return groups.stream().flatMap(group -> group.parameters().stream()).toList();
    }

    final ParameterState state(Parameter parameter) {
        return Objects.requireNonNull(states.get(parameter));
    }

    final Map<String, Double> remembered() {
        return remembered;
    }
}
