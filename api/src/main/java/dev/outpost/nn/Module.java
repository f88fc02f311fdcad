package dev.outpost.nn;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tracing;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.sharding.AutoPlacement;
import dev.outpost.source.Source;
import dev.outpost.source.SourceTensor;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A computation that may have parameters, like {@code torch.nn.Module}. A subclass registers its parameters and
 * modules in its constructor, and computes in {@link #forward}. A subclass with several inputs declares its own
 * method.
 *
 * <pre>{@code
 * final class Block extends Module {
 *     private final Linear inner = register("inner", new Linear(64, 64));
 *     private final Parameter scale = parameter("scale", Init.ones(), 64);
 *
 *     @Override
 *     public Tensor forward(Tensor x) {
 *         return inner.forward(x).relu().mul(scale.tensor()).add(x);
 *     }
 * }
 * }</pre>
 *
 * <p>Names are dotted paths, as in PyTorch, so state dicts are exchanged with it.
 *
 * <p>Not thread-safe. Several threads may compute with a module at a time while no thread changes its mode, parameters or hooks.
 */
public abstract class Module {
    private final Registry registry = new Registry(this);
    private final Hooks hooks = new Hooks(this);
    private boolean training = true;

    /**
     * Computes the module's result. A subclass overrides it.
     *
     * {@snippet file="ModuleExamplesTest.java" region="module"}
     */
    public Tensor forward(Tensor input) {
        throw new OutpostException(
                FaultKind.USER, typeName() + ": it has no forward(Tensor); call the form that it declares");
    }

    /**
     * Calls {@link #forward}, with this module's hooks before and after it, like {@code module(input)} in PyTorch.
     * Containers call their modules in this way.
     *
     * {@snippet file="ModuleExamplesTest.java" region="forwardHook"}
     */
    public final Tensor call(Tensor input) {
        return hooks.call(input);
    }

    // ---- hooks

    /**
     * Adds a function that is called with the input. It returns the input for {@link #forward}, or null to keep it.
     * While a program is traced, the function becomes a part of the program, like {@link #forward}. The returned
     * action removes the function.
     */
    public final Runnable registerForwardPreHook(ForwardPreHook hook) {
        return hooks.add(hook);
    }

    /**
     * Adds a function that is called with input and output of {@link #call}. It returns another output, or null to keep it.
     *
     * {@snippet file="ModuleExamplesTest.java" region="forwardHook"}
     */
    public final Runnable registerForwardHook(ForwardHook hook) {
        return hooks.add(hook);
    }

    /**
     * Adds a function that backward calls with the gradients of input and output of each {@link #call}. It returns another gradient of the
     * input, or null to keep it. It is not called if the input requires no gradient.
     */
    public final Runnable registerFullBackwardHook(BackwardHook hook) {
        return hooks.addBackward(hook);
    }

    // ---- parameters that are computed from others

    /**
     * Makes a parameter computed at each use from others, which are trained instead (torch.nn.utils.parametrize.register_parametrization).
     * They are called {@code parametrizations.NAME.original}, or {@code original0}, {@code original1}, … if there are several. The
     * parameter keeps its value if the parametrization can compute it. Call this before an optimizer is created for the parameters.
     *
     * @param name the name of a parameter of this module itself
     */
    public final void registerParametrization(String name, Parametrization parametrization) {
        Parametrized.register(this, name, ArgumentChecks.required(parametrization, "the parametrization"));
    }

    /** Makes the parameter an ordinary one again, with its present value. */
    public final void removeParametrization(String name) {
        Parametrized.remove(this, name);
    }

    /** Returns true if a parameter of this module itself is computed from others. */
    public final boolean isParametrized(String name) {
        return registry.isParametrized(name);
    }

    // ---- methods for subclasses

    /** Adds a module under a name, and returns it. */
    protected final <M extends Module> M register(String name, M module) {
        registry.add(name, module);
        return module;
    }

    /** Adds a float32 parameter. */
    protected final Parameter parameter(String name, Initializer initializer, long... shape) {
        return parameter(name, new Parameter(ArgumentChecks.shape(shape), DType.FLOAT32, initializer));
    }

    /** Adds a parameter. The same parameter may be in several modules, which then share it. */
    protected final Parameter parameter(String name, Parameter parameter) {
        registry.add(name, parameter);
        return parameter;
    }

    /** Adds a float32 buffer. */
    protected final Buffer buffer(String name, Initializer initializer, long... shape) {
        return buffer(name, new Buffer(ArgumentChecks.shape(shape), DType.FLOAT32, initializer));
    }

    /** Adds a buffer. */
    protected final Buffer buffer(String name, Buffer buffer) {
        registry.add(name, buffer);
        return buffer;
    }

    /** Formats a boolean as PyTorch prints it in {@link #settings}: {@code True} or {@code False}. */
    protected static String flag(boolean value) {
        return value ? "True" : "False";
    }

    /** Formats a number as PyTorch prints it in {@link #settings}: {@code 0.0001}, {@code 1e-05}. */
    protected static String number(double value) {
        return ModulePrinter.number(value);
    }

    /** Returns the text between the parentheses of {@link #toString}, such as {@code in_features=64}. */
    protected String settings() {
        return "";
    }

    /** Called when {@link #train(boolean)} has changed the mode of this module itself. */
    protected void modeChanged(boolean nowTraining) {}

    // ---- contents, in the order of registration

    /**
     * Returns the parameters, each once.
     *
     * {@snippet file="ModuleExamplesTest.java" region="parameters"}
     */
    public final List<Parameter> parameters() {
        return List.copyOf(namedParameters().values());
    }

    /**
     * Returns the parameters, each once under the first of its names.
     *
     * {@snippet file="ModuleExamplesTest.java" region="parameters"}
     */
    public final SequencedMap<String, Parameter> namedParameters() {
        return Registry.distinct(registry.owned(Parameter.class));
    }

    /** Returns the buffers of this module and of all modules below, each once. */
    public final List<Buffer> buffers() {
        return List.copyOf(namedBuffers().values());
    }

    /** Returns the buffers by their dotted names, such as {@code 1.running_mean}. */
    public final SequencedMap<String, Buffer> namedBuffers() {
        return Registry.distinct(registry.owned(Buffer.class));
    }

    /** Returns the modules that were registered with this module. */
    public final List<Module> children() {
        return List.copyOf(namedChildren().values());
    }

    /** Returns the modules that were registered with this module, by name. */
    public final SequencedMap<String, Module> namedChildren() {
        return Registry.distinct(registry.children());
    }

    /** Returns this module and all modules below, each once. */
    public final List<Module> modules() {
        return List.copyOf(namedModules().values());
    }

    /** Returns this module (under the empty name) and all modules below. */
    public final SequencedMap<String, Module> namedModules() {
        return Registry.distinct(registry.modules());
    }

    // ---- modes

    /** Turns on training mode for this module and all modules below. */
    public final Module train() {
        return train(true);
    }

    /**
     * Turns on evaluation mode: nothing is dropped out, and running statistics are used.
     *
     * {@snippet file="ModuleExamplesTest.java" region="eval"}
     */
    public final Module eval() {
        return train(false);
    }

    /** Turns training mode on or off for this module and all modules below. Dropout and batch normalization depend on it. */
    public Module train(boolean mode) {
        modules().forEach(module -> module.setTraining(mode));
        return this;
    }

    private void setTraining(boolean mode) {
        if (training != mode) {
            training = mode;
            modeChanged(mode);
        }
    }

    /** True in training mode, which a new module has. */
    public final boolean isTraining() {
        Tracing.assume(this, () -> training);
        return training;
    }

    /**
     * Drops all gradients.
     *
     * {@snippet file="ModuleExamplesTest.java" region="zeroGrad"}
     */
    public final void zeroGrad() {
        parameters().forEach(Parameter::zeroGrad);
    }

    /** Sets whether backward computes the gradients of the parameters. */
    public Module requiresGrad(boolean required) {
        parameters().forEach(parameter -> parameter.requiresGrad(required));
        return this;
    }

    /** Calls a function for every module below, and then for this module. */
    public Module apply(Consumer<Module> function) {
        children().forEach(child -> child.apply(function));
        function.accept(this);
        return this;
    }

    // ---- machine and dtype

    /**
     * Places parameters and buffers on a machine. Values on another machine are moved: they are fetched (one wait for all) and uploaded.
     * Gradients are not moved.
     *
     * {@snippet file="ModuleExamplesTest.java" region="sequential"}
     */
    public Module to(RemoteMachine machine) {
        ArgumentChecks.required(machine, "the machine");
        registry.nameAll();
        leave(tensor -> tensor.tensor().machine() != machine);
        registry.state().values().forEach(tensor -> tensor.place(machine));
        return this;
    }

    /** Like {@link #to(RemoteMachine)}, but with these values. Works even if the former machine is lost. */
    public Module to(RemoteMachine machine, Map<String, HostTensor> stateDict) {
        SequencedMap<String, ModuleTensor> state = registry.state();
        StateLoading.of(state, stateDict, HostTensor::shape).check(true);
        stateDict.forEach((name, values) -> state.get(name).leave(values));
        return to(machine);
    }

    /**
     * Moves the module to a group of machines, with each parameter and buffer cut along its first dimension if its
     * size is at least the number of machines (ZeRO, stage 3; Rajbhandari et al., "ZeRO: Memory optimizations toward
     * training trillion parameter models", 2020). A machine has its part of parameters, of gradients when the
     * optimizer reads them, and of the optimizer's state. For each use, the group gathers the parameters, or the
     * activations if these have fewer bytes. Parameters that do not exist yet are created in parts, so no machine
     * needs a whole parameter. Initializers that factorize matrices are the exception. Parameters that are on a
     * machine already are read by the program and uploaded again, so the call waits. Create the optimizer afterwards.
     */
    public Module fullyShard(MachineGroup group) {
        RemoteMachine machine = ArgumentChecks.required(group, "the group").machine();
        leave(tensor -> true);
        return group.cutting(() -> {
            to(machine);
            registry.state().values().forEach(ModuleTensor::copy);
            return this;
        });
    }

    /** Fetches the values of the tensors that are on a machine to the client; waits once. */
    private void leave(Predicate<ModuleTensor> which) {
        Map<ModuleTensor, CompletableFuture<HostTensor>> moving = new LinkedHashMap<>();
        for (ModuleTensor tensor : registry.state().values()) {
            if (tensor.isPlaced() && which.test(tensor)) {
                moving.put(tensor, tensor.fetch());
            }
        }
        HostValues.await(moving).forEach(ModuleTensor::leave);
    }

    /**
     * Moves the module to a group of machines, with each parameter and buffer placed as the weights of a signal. Values pass through the
     * program once, which waits. Create the optimizer afterwards.
     *
     * @param signal the name of the signal
     */
    public Module to(MachineGroup group, String signal) {
        RemoteMachine machine = ArgumentChecks.required(group, "the group").machine();
        Map<String, HostTensor> values = to(machine).stateDict();
        return group.weights(signal, () -> to(machine, values));
    }

    /**
     * Moves the module to a group of machines and places it as {@link MachineGroup#auto} proposes. Create the optimizer afterwards.
     *
     * @param loss computes the loss of a batch by this module; its data must be created by {@link MachineGroup#tensor}
     * @param memory the bytes that parameters, gradients and two moments of an optimizer may take on a machine
     * @return the proposal with its reasons
     */
    public AutoPlacement auto(MachineGroup group, Supplier<Tensor> loss, long memory) {
        to(ArgumentChecks.required(group, "the group").machine());
        SequencedMap<String, Tensor> parameters = new LinkedHashMap<>();
        namedParameters().forEach((name, parameter) -> parameters.put(name, parameter.tensor()));
        AutoPlacement proposal = group.auto(parameters, loss, memory);
        group.place(parameters, proposal);
        return proposal;
    }

    /** Casts floating parameters and buffers, but not gradients. */
    public Module to(DType dtype) {
        if (!ArgumentChecks.required(dtype, "the dtype").isFloating()) {
            throw new OpException("to", "a module is cast to a floating dtype, got " + dtype);
        }
        registry.state().values().stream()
                .filter(tensor -> tensor.dtype().isFloating())
                .forEach(tensor -> tensor.cast(dtype));
        return this;
    }

    /**
     * Returns the values of all parameters and buffers by name; waits once.
     *
     * {@snippet file="ModuleExamplesTest.java" region="stateDict"}
     */
    public final SequencedMap<String, HostTensor> stateDict() {
        Map<String, CompletableFuture<HostTensor>> started = new LinkedHashMap<>();
        registry.state().forEach((name, tensor) -> started.put(name, tensor.fetch()));
        return HostValues.await(started);
    }

    /**
     * Loads values. Every name and shape must be the module's.
     *
     * {@snippet file="ModuleExamplesTest.java" region="stateDict"}
     *
     * @throws OutpostException if a name or a shape differs
     */
    public final void loadStateDict(Map<String, HostTensor> stateDict) {
        loadStateDict(stateDict, true);
    }

    /**
     * Loads values, in the module's own dtypes. If the module is not on a machine yet, it begins there with these values.
     *
     * @param strict true if names that only one side has are an error
     */
    public final IncompatibleKeys loadStateDict(Map<String, HostTensor> stateDict, boolean strict) {
        SequencedMap<String, ModuleTensor> state = registry.state();
        IncompatibleKeys keys =
                StateLoading.of(state, stateDict, HostTensor::shape).check(strict);
        state.forEach((name, tensor) -> {
            HostTensor values = stateDict.get(name);
            if (values != null) {
                tensor.load(values);
            }
        });
        return keys;
    }

    /**
     * Loads values that a machine reads from a source, in the module's own dtypes. The values do not pass through the client. Afterwards
     * the module is on that machine. Waits until all is read. If something cannot be read, or does not fit, the module stays as it was.
     *
     * @param strict true if names that only one side has are an error
     */
    public final IncompatibleKeys loadStateDict(Source source, boolean strict) {
        return loadStateDict(source.tensors(), strict);
    }

    /** Like {@link #loadStateDict(Source, boolean)}, but with these tensors, by the module's names. */
    public final IncompatibleKeys loadStateDict(SequencedMap<String, SourceTensor> stateDict, boolean strict) {
        SequencedMap<String, ModuleTensor> state = registry.state();
        IncompatibleKeys keys =
                StateLoading.of(state, stateDict, SourceTensor::shape).check(strict);
        registry.nameAll();
        SourceLoading.load(state, stateDict);
        return keys;
    }

    final Registry registry() {
        return registry;
    }

    final String typeName() {
        String simple = getClass().getSimpleName();
        return simple.isEmpty() ? "Module" : simple;
    }

    /** Returns the tree of modules as PyTorch prints it. */
    @Override
    public String toString() {
        return ModulePrinter.print(this);
    }
}
