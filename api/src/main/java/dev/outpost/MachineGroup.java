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
import dev.outpost.types.OpException;
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
 * Several machines that compute as one. The program is written as for one machine. The group places each tensor on the machines, and
 * the machines exchange partial results directly.
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
 * <p>Results do not depend on timing: sums across machines are taken in the order of their ranks. They differ from
 * the results of one machine by rounding. If the group has no rule for an op and the placements of its operands,
 * every machine computes the whole op, and {@link #explain} reports this. The loss of one machine ends the group.
 * Thread-safe.
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
     * Starts machines of a provider, found by its name.
     *
     * {@snippet file="MachineExamplesTest.java" region="group"}
     *
     * @param provider the provider's name, such as {@code mock} or {@code process}
     * @param gpu a name in the catalogue, such as {@code A100}, or {@code any}
     * @param size the number of machines, 1 to 1024
     */
    public static MachineGroup of(String provider, String gpu, int size) {
        return of(provider, gpu, size, new MachineOptions());
    }

    /** Like {@link #of(String, String, int)}, but with options that apply to each machine. */
    public static MachineGroup of(String provider, String gpu, int size, MachineOptions options) {
        return of(Providers.discover().find(ArgumentChecks.required(provider, "the provider")), gpu, size, options);
    }

    /** Starts machines of a provider that the program created itself. */
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
     * Returns the group behind a machine that has several GPUs. Closing either of them closes both.
     *
     * @param machine a machine that {@link RemoteMachine#of(String, String, int)} returned for more than one GPU
     */
    public static MachineGroup of(RemoteMachine machine) {
        GroupRecorder recorder = ArgumentChecks.required(machine, "the machine").recorderOfGroup();
        return new MachineGroup(machine, recorder.size());
    }

    /**
     * Returns the single machine that stands for all members. Tensors of the group live on it, and modules are moved
     * to it.
     */
    public RemoteMachine machine() {
        return machine;
    }

    @Override
    public RemoteMachine self() {
        return machine;
    }

    /** Returns the number of machines. */
    public int size() {
        return size;
    }

    // ---- placements

    /**
     * Makes the group shard tensors along their first dimension from now on, if its size is at least the number of
     * machines. This holds for tensors of the program's data and for tensors that {@code full}, {@code zeros}, {@code
     * ones}, {@code arange}, {@code rand}, {@code randn} and {@code randint} create. Each machine creates its part,
     * with the same bits as on a single machine. Tensors that {@link #machine} creates or moves, such as parameters,
     * stay replicated.
     *
     * {@snippet file="MachineExamplesTest.java" region="dataParallel"}
     */
    public MachineGroup dataParallel() {
        cutsData = true;
        return this;
    }

    /**
     * Makes the machines exchange large sums in fewer bits from now on. {@link GroupExchange#bytes} and {@link
     * #stats} count the bytes that are sent. For data parallel training with an integer format, choose a learning
     * rate that tolerates the rounding. If the runtime of a machine is too old for the format, the group ends with a
     * fault that gives the machine's name and version.
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
     * Runs the body. Tensors that this thread uploads to the group, creates there, or copies by {@link Tensor#clone}
     * in the body are sharded along their first dimension if its size is at least the number of machines.
     */
    public <T> T cutting(Supplier<T> body) {
        return recorder.placing(this::cut, () -> ActiveSignal.within(cuttingSignal(), body));
    }

    private ActiveSignal cuttingSignal() {
        SignalPlacement cut = new SignalPlacement(workers(), SignalPlacement.How.COPY, 0);
        return new ActiveSignal(recorder, Optional.of(cut), Optional.empty());
    }

    /**
     * Runs the body. Tensors that this thread uploads to the group in the body get the given placement.
     *
     * @param placement returns the placement of an uploaded tensor by its type
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
     * Uploads a tensor that is cut along a dimension. The sizes of the parts differ by at most one index.
     *
     * {@snippet file="MachineExamplesTest.java" region="sharded"}
     *
     * @param dim counted from the front or, negative, from the back
     * @throws OpException if the dimension does not exist
     */
    public Tensor sharded(HostTensor values, int dim) {
        return sharded(values, dim, workers());
    }

    /**
     * Like {@link #sharded(HostTensor, int)}, but on a subset of the machines.
     *
     * @param workers their ranks, from 0, in the order of the parts
     */
    public Tensor sharded(HostTensor values, int dim, List<Integer> workers) {
        requireWorkers(workers);
        Shape shape = ArgumentChecks.required(values, "the HostTensor").shape();
        Sharding sharding = Sharding.even(workers, shape, shape.normalizeDim("sharded", dim));
        return recorder.placing(type -> sharding, () -> machine.tensor(values));
    }

    /** Uploads a tensor that is replicated on the given machines. */
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

    /** Creates a tensor, cut if the group cuts data. If the call is within a signal, the signal decides the placement instead. */
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
     * Replaces the signals by the signals of a YAML file. A new group does this automatically if {@code
     * OUTPOST_SIGNALS} names a file. Signals that are open stay as they are. Throws if the file is invalid; the
     * message gives line and column.
     */
    public MachineGroup signals(Path file) {
        return signals(Signals.read(file, size));
    }

    /** Like {@link #signals(Path)}, but with signals that the program built. */
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
     * Opens a scope in which the named signal places the ops of this thread. Operands move to the signal's workers, and data uploaded
     * by {@link #tensor} are cut among these workers. The backward ops of this scope use the signal that this signal names for
     * backward. If it names none, their operands decide the placement.
     */
    public SignalScope signal(String name) {
        Signal signal = signals.get(name);
        return open(name, signal, signal.backward());
    }

    /** Like {@link #signal(String)}, but with a signal for backward that replaces the configured one. */
    public SignalScope signal(String name, String backward) {
        return open(name, signals.get(name), Optional.of(backward));
    }

    /**
     * Opens a signal as {@link #signal(String)} does. If the signal names no other signal for backward, its placement
     * is used for backward too.
     */
    SignalScope stage(String name) {
        Signal signal = signals.get(name);
        return open(name, signal, Optional.of(signal.backward().orElse(name)));
    }

    private SignalScope open(String name, Signal signal, Optional<String> backward) {
        Optional<SignalPlacement> ofBackward = backward.flatMap(other -> placement(signals.get(other)));
        ActiveSignal active = new ActiveSignal(recorder, placement(signal), ofBackward);
        return SignalScope.open(this, name, signal.isCompiled(), active);
    }

    /** Enters a signal as {@link #signal(String)} does, without a scope object. {@link #exit} ends it. */
    public void enter(String name) {
        signal(name);
    }

    /** Ends this thread's innermost signal. Throws if its name differs. */
    public void exit(String name) {
        SignalScope.exit(this, name);
    }

    /** Copies a tensor to the placement that data have within a signal. */
    public Tensor tensor(Tensor x, String name) {
        Optional<SignalPlacement> at = placement(signals.get(name)).map(SignalPlacement::copying);
        return ActiveSignal.within(new ActiveSignal(recorder, at, Optional.empty()), x::clone);
    }

    /** Uploads data with the placement that they have within a signal. */
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
     * Runs the body. Tensors that this thread uploads to the group in the body are placed as weights of a signal: along the axes of its
     * mesh, or whole on its workers.
     */
    public <T> T weights(String name, Supplier<T> body) {
        Optional<SignalPlacement> at = placement(signals.get(name));
        return at.isEmpty() ? body.get() : recorder.placing(type -> at.get().ofWeights(type.shape()), body);
    }

    // ---- proposals

    /**
     * Proposes the placement of a model and its data that makes a step fastest. The estimate uses shapes and the measured times of
     * products, other ops and exchanges on these machines. Records and computes one step for this; does not change any placement.
     *
     * @param parameters the parameters, which live on the group, by name
     * @param loss computes the loss of a batch; it uploads data by {@link #tensor}
     * @param memory bytes that parameters, gradients and two moments of an optimizer may take on a machine
     */
    public AutoPlacement auto(SequencedMap<String, Tensor> parameters, Supplier<Tensor> loss, long memory) {
        GroupCosts costs = new CostMeasurement(this, System::nanoTime).measure();
        return new AutoPlacer(this, recorder).propose(parameters, loss, costs, memory);
    }

    /**
     * Places parameters and data as proposed. Downloads the values of the parameters and uploads them again, and waits for this.
     *
     * @param parameters the same parameters that were passed to {@link #auto}
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

    // ---- statistics

    /**
     * Lists the latest 10,000 recorded exchanges between machines, one per line: the collective, the tensor, the
     * bytes, the op, and, if traces are on, the line of the program. If the GPUs could exchange without their hosts,
     * the first line reports whether they do, and the reason if not. Does not wait. Segments that are still being
     * recorded are not included.
     */
    public String explain() {
        String backend = recorder.backend();
        Stream<String> first = backend.isEmpty() ? Stream.empty() : Stream.of("exchanges by " + backend);
        return Stream.concat(first, recorder.exchanges().stream().map(GroupExchange::toString))
                .collect(Collectors.joining("\n"));
    }

    /** Returns the exchanges that {@link #explain} lists. */
    public List<GroupExchange> exchanges() {
        return recorder.exchanges();
    }

    /** Returns the number of recorded exchanges and their bytes. Does not wait. */
    public GroupStats stats() {
        return recorder.groupStats();
    }

    // ---- as one machine

    /** Opens a scope on this thread; see {@link Scope}. */
    public Scope scope() {
        return machine.scope();
    }

    /** Restarts the random stream. Equal seeds give equal numbers on any number of machines. */
    public MachineGroup manualSeed(long seed) {
        machine.manualSeed(seed);
        return this;
    }

    /** Returns the time that the start of the first machine took, or has taken so far. Does not wait. */
    public Provisioning provisioning() {
        return machine.provisioning();
    }

    /** Waits until all machines have started and are connected with each other. */
    public MachineGroup awaitReady() {
        machine.awaitReady();
        return this;
    }

    /** Like {@link RemoteMachine#synchronize}, but on all machines. */
    public void synchronize() {
        machine.synchronize();
    }

    /** Returns the machines to their provider as {@link RemoteMachine#close} does. */
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
