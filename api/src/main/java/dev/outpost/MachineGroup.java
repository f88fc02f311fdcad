package dev.outpost;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.group.GroupRecorder;
import dev.outpost.client.record.ActiveSignal;
import dev.outpost.client.sharding.SignalPlacement;
import dev.outpost.internal.Cell;
import dev.outpost.internal.States;
import dev.outpost.ops.MachineOps;
import dev.outpost.protocol.op.WireFormat;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Providers;
import dev.outpost.sharding.AutoPlacement;
import dev.outpost.sharding.GroupCosts;
import dev.outpost.sharding.GroupExchange;
import dev.outpost.sharding.GroupStats;
import dev.outpost.sharding.Mesh;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.sharding.Signal;
import dev.outpost.sharding.Signals;
import dev.outpost.sharding.SumFormat;
import dev.outpost.stats.Provisioning;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Several machines that compute as one. The program is written as for one machine; tensors are placed on the machines, and
 * what they compute together is exchanged between them directly.
 *
 * <pre>{@code
 * try (var group = MachineGroup.of("mock", "A100", 2)) {
 *     group.dataParallel();
 *     var model = new Mlp().to(group.machine());     // replicated
 *     var x = group.tensor(images);                  // a part of the batch on each machine
 *     var loss = Functional.crossEntropy(model.forward(x), group.tensor(labels));
 *     loss.backward();                               // gradients are summed where the optimizer reads them
 * }
 * }</pre>
 *
 * <p>Results do not depend on timing: sums between machines are taken in the order of their ranks. They differ from those of one
 * machine by rounding. An op without a rule for the placements of its operands is computed whole by every machine, and
 * {@link #explain} says so. The loss of one machine ends the group. Any thread may use it.
 */
public final class MachineGroup implements MachineOps, AutoCloseable {
    private final RemoteMachine machine;
    private final GroupRecorder recorder;
    private final int size;
    /** True if the group shards uploaded data and tensors that it creates, such as zeros, along their first dimension. */
    private volatile boolean cutsData;

    private volatile Signals signals = Signals.NONE;

    private MachineGroup(RemoteMachine machine, int size) {
        this.machine = machine;
        this.recorder = machine.recorderOfGroup();
        this.size = size;
        String file = System.getenv("OUTPOST_SIGNALS");
        if (file != null && !file.isBlank()) {
            signals(Path.of(file));
        }
    }

    /**
     * Machines of a provider's, by name.
     *
     * @param provider such as {@code mock} or {@code process}
     * @param gpu a name of the catalogue, such as {@code A100}, or {@code any}
     * @param size how many, from 1 on
     */
    public static MachineGroup of(String provider, String gpu, int size) {
        return of(provider, gpu, size, new MachineOptions());
    }

    /** As {@link #of(String, String, int)}, with more said; the options are those of each machine. */
    public static MachineGroup of(String provider, String gpu, int size, MachineOptions options) {
        return of(Providers.discover().find(ArgumentChecks.required(provider, "the provider")), gpu, size, options);
    }

    /** Machines of a provider that the program made itself. */
    public static MachineGroup of(GpuProvider provider, String gpu, int size, MachineOptions options) {
        ArgumentChecks.required(provider, "the provider");
        ArgumentChecks.required(options, "the options");
        if (size < 1 || size > 1024) {
            throw new IllegalArgumentException("group: expected 1 to 1024 machines, got " + size);
        }
        if (options.gpuCount() != 1) {
            throw new IllegalArgumentException(
                    "group: each machine has one GPU, got a gpuCount of " + options.gpuCount());
        }
        return new MachineGroup(RemoteMachine.group(provider, gpu, size, options, false), size);
    }

    /**
     * The group that a machine of several GPUs is. Closing either closes both.
     *
     * @param machine as {@link RemoteMachine#of(String, String, int)} gives it for more than one
     */
    public static MachineGroup of(RemoteMachine machine) {
        GroupRecorder recorder = ArgumentChecks.required(machine, "the machine").recorderOfGroup();
        return new MachineGroup(machine, recorder.size());
    }

    /** The machines as one: where tensors of the group live, and what modules are moved to. */
    public RemoteMachine machine() {
        return machine;
    }

    @Override
    public RemoteMachine self() {
        return machine;
    }

    /** How many machines there are. */
    public int size() {
        return size;
    }

    // ---- placements

    /**
     * From now on, the group shards tensors along their first dimension if that has an index for each machine. This holds for tensors of
     * the program's data and for tensors that {@code full}, {@code zeros}, {@code ones}, {@code arange}, {@code rand}, {@code randn} and
     * {@code randint} create. Each machine creates its part, with the same bits as on a single machine. Tensors that {@link #machine}
     * creates or moves, such as parameters, stay replicated.
     */
    public MachineGroup dataParallel() {
        cutsData = true;
        return this;
    }

    /**
     * From now on, large sums between the machines travel in fewer bits. {@link GroupExchange#bytes} and {@link #stats} count what
     * travels. Data parallel training with integers wants a learning rate that bears the rounding. A machine whose runtime is too old for
     * it ends the group by its name and version.
     */
    public MachineGroup sumFormat(SumFormat format) {
        recorder.sumFormat(
                switch (ArgumentChecks.required(format, "the format")) {
                    case EXACT -> WireFormat.EXACT;
                    case BFLOAT16 -> WireFormat.BFLOAT16;
                    case INT8 -> WireFormat.INT8;
                    case INT4 -> WireFormat.INT4;
                });
        return this;
    }

    /**
     * Runs the body. Tensors that this thread uploads to the group, creates there, or copies by {@link Tensor#clone} in the body are
     * sharded along their first dimension if that has an index for each machine.
     */
    public <T> T cutting(Supplier<T> body) {
        return recorder.placing(this::cut, () -> ActiveSignal.within(cuttingSignal(), body));
    }

    private ActiveSignal cuttingSignal() {
        SignalPlacement cut = new SignalPlacement(workers(), SignalPlacement.How.COPY, 0);
        return new ActiveSignal(recorder, Optional.of(cut), Optional.empty());
    }

    /**
     * Has what this thread uploads to the group within the body be placed so.
     *
     * @param placement by the type of what is uploaded
     */
    public <T> T placing(Function<TensorType, Sharding> placement, Supplier<T> body) {
        return recorder.placing(
                type -> {
                    Sharding sharding = placement.apply(type);
                    requireWorkers(sharding.workers());
                    return sharding;
                },
                body);
    }

    private Sharding cut(TensorType type) {
        return isLongEnough(type) ? Sharding.even(workers(), type.shape(), 0) : Sharding.replicated(size);
    }

    private boolean isLongEnough(TensorType type) {
        return type.shape().rank() > 0 && type.shape().size(0) >= size;
    }

    private List<Integer> workers() {
        return IntStream.range(0, size).boxed().toList();
    }

    /**
     * A tensor that is cut along a dimension: each machine has as many indices, or one more.
     *
     * @param dim counted from the front or, negative, from the back
     */
    public Tensor sharded(HostTensor values, int dim) {
        return sharded(values, dim, workers());
    }

    /**
     * As {@link #sharded(HostTensor, int)}, on some of the machines.
     *
     * @param workers their ranks, from 0, in the order of the parts
     */
    public Tensor sharded(HostTensor values, int dim, List<Integer> workers) {
        requireWorkers(workers);
        Shape shape = ArgumentChecks.required(values, "the HostTensor").shape();
        Sharding sharding = Sharding.even(workers, shape, shape.normalizeDim("sharded", dim));
        return recorder.placing(type -> sharding, () -> machine.tensor(values));
    }

    /** A tensor that each of some machines has all of. */
    public Tensor replicated(HostTensor values, List<Integer> workers) {
        requireWorkers(workers);
        Sharding sharding = new Sharding(workers, Placement.REPLICATE);
        return recorder.placing(type -> sharding, () -> machine.tensor(values));
    }

    private void requireWorkers(List<Integer> workers) {
        if (workers.stream().anyMatch(rank -> rank < 0 || rank >= size)) {
            throw new OutpostException(
                    FaultKind.USER, "group: expected ranks from 0 to " + (size - 1) + ", got " + workers);
        }
    }

    @Override
    public Tensor tensor(HostTensor values) {
        return placed(() -> MachineOps.super.tensor(values));
    }

    @Override
    public Tensor tensor(float[] values, long... shape) {
        return placed(() -> MachineOps.super.tensor(values, shape));
    }

    @Override
    public Tensor tensor(double[] values, long... shape) {
        return placed(() -> MachineOps.super.tensor(values, shape));
    }

    @Override
    public Tensor tensor(long[] values, long... shape) {
        return placed(() -> MachineOps.super.tensor(values, shape));
    }

    @Override
    public Tensor tensor(int[] values, long... shape) {
        return placed(() -> MachineOps.super.tensor(values, shape));
    }

    @Override
    public Tensor full(Number value, DType dtype, long... shape) {
        return created(() -> MachineOps.super.full(value, dtype, shape));
    }

    @Override
    public Tensor arange(Number start, Number end, Number step, DType dtype) {
        return created(() -> MachineOps.super.arange(start, end, step, dtype));
    }

    @Override
    public Tensor rand(DType dtype, long... shape) {
        return created(() -> MachineOps.super.rand(dtype, shape));
    }

    @Override
    public Tensor rand(Generator generator, DType dtype, long... shape) {
        return created(() -> MachineOps.super.rand(generator, dtype, shape));
    }

    @Override
    public Tensor randn(DType dtype, long... shape) {
        return created(() -> MachineOps.super.randn(dtype, shape));
    }

    @Override
    public Tensor randn(Generator generator, DType dtype, long... shape) {
        return created(() -> MachineOps.super.randn(generator, dtype, shape));
    }

    @Override
    public Tensor randint(long low, long high, DType dtype, long... shape) {
        return created(() -> MachineOps.super.randint(low, high, dtype, shape));
    }

    @Override
    public Tensor randint(Generator generator, long low, long high, DType dtype, long... shape) {
        return created(() -> MachineOps.super.randint(generator, low, high, dtype, shape));
    }

    /** A signal that encloses the call decides the placement instead. */
    private Tensor created(Supplier<Tensor> made) {
        return cutsData && ActiveSignal.placement(recorder) == null
                ? ActiveSignal.within(cuttingSignal(), made)
                : made.get();
    }

    private Tensor placed(Supplier<Tensor> made) {
        SignalPlacement signalled = ActiveSignal.placement(recorder);
        return recorder.placing(signalled == null ? this::ofData : type -> signalled.ofData(type.shape()), made);
    }

    private Sharding ofData(TensorType type) {
        return cutsData ? cut(type) : Sharding.replicated(size);
    }

    // ---- signals

    /**
     * Takes signals from a file of YAML, in the place of those that there were; also where {@code OUTPOST_SIGNALS} names a file, when
     * the group is made. Signals that are open stay as they are. What the file cannot be is refused by line and column.
     */
    public MachineGroup signals(Path file) {
        return signals(Signals.read(file, size));
    }

    /** As {@link #signals(Path)}, of the program itself. */
    public MachineGroup signals(Signals configured) {
        ArgumentChecks.required(configured, "the signals");
        configured.byName().forEach((name, signal) -> {
            if (signal.where() instanceof Signal.Where.Cut cut) {
                requireWorkers(cut.workers());
            }
        });
        signals = configured;
        return this;
    }

    /**
     * Until the scope is closed, what this thread records is placed by the signal of that name: operands are brought to the signal's
     * workers, and data that come by {@link #tensor} are cut among them. Ops that differentiate what is recorded here are placed by
     * the signal that this one names for backward; where it names none, by their operands.
     */
    public SignalScope signal(String name) {
        Signal signal = signals.get(name);
        return open(name, signal, signal.backward());
    }

    /** As {@link #signal(String)}, with another signal for backward than the configuration names. */
    public SignalScope signal(String name, String backward) {
        return open(name, signals.get(name), Optional.of(backward));
    }

    /** As {@link #signal(String)}; where the signal names none for backward, it is the one for backward itself. */
    SignalScope stage(String name) {
        Signal signal = signals.get(name);
        return open(name, signal, Optional.of(signal.backward().orElse(name)));
    }

    private SignalScope open(String name, Signal signal, Optional<String> backward) {
        Optional<SignalPlacement> ofBackward = backward.flatMap(other -> placement(signals.get(other)));
        ActiveSignal active = new ActiveSignal(recorder, placement(signal), ofBackward);
        return SignalScope.open(this, name, signal.isCompiled(), active);
    }

    /** As {@link #signal(String)} without a scope: {@link #exit} ends it. */
    public void enter(String name) {
        signal(name);
    }

    /** Ends this thread's innermost signal, which is to have that name. */
    public void exit(String name) {
        SignalScope.exit(this, name);
    }

    /** The tensor, placed as data are within a signal. */
    public Tensor tensor(Tensor x, String name) {
        Optional<SignalPlacement> at = placement(signals.get(name)).map(SignalPlacement::copying);
        return ActiveSignal.within(new ActiveSignal(recorder, at, Optional.empty()), x::clone);
    }

    /** Data of the program, placed as they are within a signal. */
    public Tensor tensor(HostTensor values, String name) {
        Optional<SignalPlacement> at = placement(signals.get(name));
        return ActiveSignal.within(new ActiveSignal(recorder, at, Optional.empty()), () -> tensor(values));
    }

    private Optional<SignalPlacement> placement(Signal signal) {
        return switch (signal.where()) {
            case Signal.Where.Cut cut ->
                Optional.of(new SignalPlacement(cut.workers(), SignalPlacement.How.CUT, cut.axis()));
            case Signal.Where.Replicated replicated ->
                Optional.of(new SignalPlacement(
                        replicated.workers().isEmpty() ? workers() : replicated.workers(),
                        SignalPlacement.How.WHOLE,
                        0));
            case Signal.Where.Anywhere anywhere -> Optional.empty();
            case Signal.Where.OnMesh mesh -> Optional.of(onMesh(mesh));
        };
    }

    private SignalPlacement onMesh(Signal.Where.OnMesh where) {
        Mesh mesh = signals.mesh(where.axes());
        requireWorkers(mesh.workers());
        return SignalPlacement.on(new SignalPlacement.OnMesh(
                mesh,
                where.spec().getOrDefault("activations", List.of()),
                where.spec().getOrDefault("weights", List.of())));
    }

    /**
     * Has what this thread uploads to the group within the body be placed as weights of a signal: along the axes of its mesh, or whole on
     * its workers.
     */
    public <T> T weights(String name, Supplier<T> body) {
        Optional<SignalPlacement> at = placement(signals.get(name));
        return at.isEmpty() ? body.get() : recorder.placing(type -> at.get().ofWeights(type.shape()), body);
    }

    // ---- proposals

    /**
     * Proposes how a model and its data are placed so that a step takes the least time: from shapes, and from what products, other ops and
     * exchanges were measured to take on these machines. One step is recorded and computed for that; nothing is placed otherwise.
     *
     * @param parameters on the group, by name
     * @param loss computes the loss of a batch; data come by {@link #tensor}
     * @param memory bytes that parameters, gradients and two moments of an optimizer may take on a machine
     */
    public AutoPlacement auto(SequencedMap<String, Tensor> parameters, Supplier<Tensor> loss, long memory) {
        GroupCosts costs = new CostMeasurement(this, System::nanoTime).measure();
        return new AutoPlacer(this, recorder).propose(parameters, loss, costs, memory);
    }

    /**
     * Places parameters and data as proposed. Values of parameters pass through the program once, which waits.
     *
     * @param parameters as they were given to {@link #auto}
     */
    public MachineGroup place(SequencedMap<String, Tensor> parameters, AutoPlacement proposal) {
        parameters.forEach((name, parameter) -> {
            Cell storage = States.cell(parameter);
            // Writes of other threads wait until the values are placed.
            storage.beginWrite();
            try {
                place(parameter, proposal.parameters().get(name));
            } finally {
                storage.endWrite();
            }
        });
        cutsData = proposal.isBatchCut();
        return this;
    }

    private void place(Tensor parameter, Sharding sharding) {
        HostTensor values = parameter.toHost();
        try (Tensor placed = recorder.placing(type -> sharding, () -> machine.tensor(values))) {
            recorder.rebind(States.cell(parameter), States.cell(placed));
        }
    }

    // ---- what happened

    /**
     * The exchanges between machines that were recorded, the latest 10,000, one a line: which collective, of what, how many bytes, for
     * which op, and, where traces are on, at which line. Where a machine's GPU could exchange without its host, the first line says
     * whether they do, and why not. Does not wait. What is recorded and not sealed is not in it.
     */
    public String explain() {
        String backend = recorder.backend();
        Stream<String> first = backend.isEmpty() ? Stream.empty() : Stream.of("exchanges by " + backend);
        return Stream.concat(first, recorder.exchanges().stream().map(GroupExchange::toString))
                .collect(Collectors.joining("\n"));
    }

    /** As {@link #explain}, one by one. */
    public List<GroupExchange> exchanges() {
        return recorder.exchanges();
    }

    /** How many exchanges were recorded, and of how many bytes; does not wait. */
    public GroupStats stats() {
        return recorder.groupStats();
    }

    // ---- as one machine

    /** Opens a scope on this thread; see {@link Scope}. */
    public Scope scope() {
        return machine.scope();
    }

    /** Begins the random stream anew: equal seeds give equal numbers, on one machine and on any number of them. */
    public MachineGroup manualSeed(long seed) {
        machine.manualSeed(seed);
        return this;
    }

    /** How long the first machine took to come, or has taken so far; does not wait. */
    public Provisioning provisioning() {
        return machine.provisioning();
    }

    /** Waits until all machines are there, and are connected with each other. */
    public MachineGroup awaitReady() {
        machine.awaitReady();
        return this;
    }

    /** As {@link RemoteMachine#synchronize}, on all machines. */
    public void synchronize() {
        machine.synchronize();
    }

    /** Gives the machines back; as {@link RemoteMachine#close}. */
    @Override
    public void close() {
        machine.close();
    }

    /** Describes the group as {@link RemoteMachine#toString} describes a machine. Does not wait. */
    @Override
    public String toString() {
        return "MachineGroup" + machine.description();
    }
}
