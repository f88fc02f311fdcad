package dev.outpost;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.group.GroupRecorder;
import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.profile.Profile;
import dev.outpost.client.program.HostStates;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.record.StoredOperand;
import dev.outpost.client.session.MachineRecorder;
import dev.outpost.client.session.SessionRecorder;
import dev.outpost.client.start.LatestLease;
import dev.outpost.client.start.MachineSource;
import dev.outpost.client.start.StartSpec;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.TensorMachine;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.trace.TracedMode;
import dev.outpost.internal.vmap.BatchLevel;
import dev.outpost.ops.MachineOps;
import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.message.SourceQuestion;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.GroupProvider;
import dev.outpost.provider.GroupSpec;
import dev.outpost.provider.Lease;
import dev.outpost.provider.LibraryNotices;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.Providers;
import dev.outpost.provider.SharedAccess;
import dev.outpost.source.Source;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;
import dev.outpost.transport.EndpointAddress;
import dev.outpost.transport.EndpointProvider;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A machine with a GPU, somewhere else, for as long as it is used.
 *
 * <pre>{@code
 * try (var machine = RemoteMachine.of("k8s", "A100")) {
 *     var x = machine.randn(1000, 1000);
 *     var y = machine.randn(1000, 1000);
 *     System.out.println(x.matmul(y).relu().mean().item());
 * }
 * }</pre>
 *
 * <p>Recording begins at once, while the machine is still being provided. Any thread may use it. When the machine is
 * lost, its tensors are ({@code MachineLostException}), and {@link MachineOptions#machineLossPolicy} says what becomes of new ones.
 * Where it ended because nobody used it for as long as had been agreed, the next new tensor starts another.
 */
public final class RemoteMachine extends TensorMachine implements MachineOps, AutoCloseable {
    static {
        LibraryNotices.silence();
    }

    private final String name;
    private final MachineOptions options;
    /** Null where nobody profiles. */
    private final @Nullable Profile profile;

    private final ReentrantLock lock = new ReentrantLock();
    private final RandomStream random = new RandomStream();
    private final TensorDevice device;
    private final MachineRecorder recorder;
    private volatile boolean closed;

    /** The latest lease of each member, by rank; a single machine has one. */
    private final List<LatestLease> leases;
    /** The requested GPU; empty if the machine already existed. */
    private final String gpu;

    private RemoteMachine(String wantedName, String gpu, MachineSource source, MachineOptions options) {
        this.name = OpenMachineNames.take(wantedName, this);
        this.gpu = gpu;
        this.leases = List.of(new LatestLease());
        this.options = options;
        this.profile = options.profile();
        this.recorder = new SessionRecorder(
                name, options.session(), random, start(name, leases.getFirst().of(source)), this::isScopeOpen);
        this.device = new TensorDevice(this, recorder, random, Tensor.FACTORY);
    }

    /** Several machines that compute as one: see {@link MachineGroup}. */
    private RemoteMachine(String wantedName, String gpu, List<MachineSource> members, MachineOptions options) {
        this.name = OpenMachineNames.take(wantedName, this);
        this.gpu = gpu;
        this.leases = members.stream().map(member -> new LatestLease()).toList();
        this.options = options;
        this.profile = options.profile();
        List<StartSpec> starts = new ArrayList<>();
        for (int rank = 0; rank < members.size(); rank++) {
            starts.add(start(name + "[" + rank + "]", leases.get(rank).of(members.get(rank))));
        }
        this.recorder =
                new GroupRecorder(name, options.session(), random, starts, this::isScopeOpen, options.peerTimeout());
        this.device = new TensorDevice(this, recorder, random, Tensor.FACTORY);
    }

    private StartSpec start(String ofMember, MachineSource source) {
        return new StartSpec(
                source, () -> options.view(ofMember), () -> profile == null ? null : profile.session(ofMember));
    }

    /**
     * Machines of one provider with a GPU each, as one.
     *
     * @param isOneHost whether they are GPUs of one host
     */
    static RemoteMachine group(GpuProvider provider, String gpu, int size, MachineOptions options, boolean isOneHost) {
        GpuType type = GpuCatalogue.configured().find(ArgumentChecks.required(gpu, "the GPU"));
        String name = provider.name() + "-" + gpu;
        List<MachineSource> members = size == 1 || provider.groups().isEmpty()
                ? startEach(provider, type, size, options, name)
                : startGang(
                        provider.groups().get(),
                        new GroupSpec(new MachineSpec(type, 1, options.options(), name), size, isOneHost));
        return new RemoteMachine(name + "x" + size, size + " × " + gpu, members, options);
    }

    private static List<MachineSource> startEach(
            GpuProvider provider, GpuType type, int size, MachineOptions options, String name) {
        List<MachineSource> members = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            MachineSpec spec = new MachineSpec(type, 1, options.options(), name + "-" + rank);
            provider.validate(spec);
            members.add(progress -> provider.provision(spec, progress));
        }
        return members;
    }

    private static List<MachineSource> startGang(GroupProvider provider, GroupSpec spec) {
        provider.validate(spec);
        GangStart start = new GangStart(provider, spec);
        return IntStream.range(0, spec.size()).mapToObj(start::member).toList();
    }

    /**
     * A machine of a provider's, by name.
     *
     * @param provider such as {@code mock} or {@code k8s}
     * @param gpu a name of the catalogue, such as {@code A100}, or {@code any}
     */
    public static RemoteMachine of(String provider, String gpu) {
        return of(provider, gpu, new MachineOptions());
    }

    /**
     * As {@link #of(String, String)}, with that many GPUs, which compute as one: a {@linkplain MachineGroup group} whose members have
     * a GPU each. What is made on it is replicated; {@link MachineGroup#of(RemoteMachine)} places tensors otherwise.
     */
    public static RemoteMachine of(String provider, String gpu, int gpuCount) {
        return of(provider, gpu, new MachineOptions().gpuCount(gpuCount));
    }

    /** As {@link #of(String, String)}, with more said. Throws what needs no network: unknown names, bad options. */
    public static RemoteMachine of(String provider, String gpu, MachineOptions options) {
        return of(Providers.discover().find(ArgumentChecks.required(provider, "the provider")), gpu, options);
    }

    /** A machine of a provider that the program made itself. */
    public static RemoteMachine of(GpuProvider provider, String gpu, MachineOptions options) {
        ArgumentChecks.required(provider, "the provider");
        ArgumentChecks.required(options, "the options");
        if (options.gpuCount() > 1) {
            return group(provider, gpu, options.gpuCount(), options, true);
        }
        MachineSpec spec = new MachineSpec(
                GpuCatalogue.configured().find(ArgumentChecks.required(gpu, "the GPU")),
                options.gpuCount(),
                options.options(),
                provider.name() + "-" + gpu);
        provider.validate(spec);
        return new RemoteMachine(spec.name(), gpu, progress -> provider.provision(spec, progress), options);
    }

    /**
     * A machine that lives without a client, as one that {@code ./outpost machines start} has started. Closing lets go of
     * it and leaves it running.
     *
     * @param provider such as {@code k8s}
     * @param id by which the provider knows it
     */
    public static RemoteMachine attach(String provider, String id) {
        return attach(provider, id, new MachineOptions());
    }

    /** As {@link #attach(String, String)}, with more said. */
    public static RemoteMachine attach(String provider, String id, MachineOptions options) {
        return attach(Providers.discover().find(provider), id, options);
    }

    /** As {@link #attach(String, String)}, of a provider that the program made itself. */
    public static RemoteMachine attach(GpuProvider provider, String id, MachineOptions options) {
        MachineKeeper keeper = provider.keeper()
                .orElseThrow(() -> new IllegalArgumentException("attach: provider " + provider.name()
                        + " has no machines that live without a client, so there is none called " + id
                        + "; RemoteMachine.of starts one"));
        options.requireNoneOfAMachine();
        return new RemoteMachine(id, "", progress -> keeper.attach(id, progress), options);
    }

    /**
     * The machine at an address, started by somebody else, as by {@code ./outpost runtime}.
     *
     * @param endpoint {@code host:port}, or {@code unix:/path} for a socket on this host
     * @param token the connection token that the machine printed; not looked at for a socket
     */
    public static RemoteMachine connect(String endpoint, String token) {
        return connect(endpoint, token, new MachineOptions());
    }

    /** As {@link #connect(String, String)}, with more said. */
    public static RemoteMachine connect(String endpoint, String token, MachineOptions options) {
        return connect(EndpointAddress.parse(endpoint, Optional.ofNullable(token), Optional.empty()), options);
    }

    /** As {@link #connect(String, String)}; here the machine may be vouched for by an authority. */
    public static RemoteMachine connect(Endpoint endpoint, MachineOptions options) {
        return of(new EndpointProvider(endpoint), GpuType.ANY.name(), options);
    }

    @Override
    public RemoteMachine self() {
        return this;
    }

    /**
     * Returns the name in logs and errors, for example {@code mock-A100}. While another machine of this JVM has the same name, it ends in
     * a number, as {@code mock-A100#2}.
     */
    public String name() {
        return name;
    }

    /** The device that it computes on, or null before it is there. */
    public @Nullable String device() {
        return recorder.device();
    }

    /** Opens a scope on this thread; see {@link Scope}. */
    public Scope scope() {
        requireOpen();
        return new Scope(TensorScope.open(recorder));
    }

    /** Computes with no scope open on this thread, so that what is made lives on its own. */
    public <T extends @Nullable Object> T unscoped(Supplier<T> body) {
        return TensorScope.unscoped(body);
    }

    /** Ends this thread's segment, unless a scope will: called where a program repeats itself, as optimizers do. */
    public void endStep() {
        if (!isScopeOpen()) {
            requireOpen();
            recorder.endSegment();
        }
    }

    /** Begins the random stream anew (torch.manual_seed): equal seeds give equal numbers on every engine. */
    public RemoteMachine manualSeed(long newSeed) {
        HostStates.ofThread()
                .refuseTraced(
                        "manual_seed", "a program draws from the stream of each call, so it cannot begin another");
        random.restart(newSeed);
        return this;
    }

    /** Where the random stream stands, to go on from there with {@link #randomState(Generator.State)}, on any machine. */
    public Generator.State randomState() {
        RandomStream.Position position = random.position();
        return new Generator.State(position.seed(), position.draws());
    }

    /** Goes on from there, as when work is resumed. */
    public RemoteMachine randomState(Generator.State state) {
        HostStates.ofThread()
                .refuseTraced("manual_seed", "a program draws from the stream of each call, so it cannot move it");
        ArgumentChecks.required(state, "the state");
        random.restart(new RandomStream.Position(state.seed(), state.draws()));
        return this;
    }

    /**
     * Returns the number of bytes that this client's values may take on the machine at a time. For a group this is the smallest of the
     * members' numbers. Waits until the machine is ready.
     */
    public long quotaBytes() {
        recorder.awaitReady();
        return recorder.quotaBytes();
    }

    /** How long the machine took to come, phase by phase, or has taken so far; does not wait. */
    public Provisioning provisioning() {
        return recorder.provisioning();
    }

    /** The counters so far; does not wait. */
    public MachineStats stats() {
        return recorder.stats();
    }

    /**
     * Gives somebody else access to this machine, who {@linkplain #connect(Endpoint, MachineOptions) connects} to the endpoint that it has.
     * Terms say for how long, with which part of the memory and weight, and whether the other one computes or only observes. Waits until
     * the machine's provider knows of it. A group is not shared.
     *
     * @throws IllegalStateException where the machine is not there yet, or its provider gives nobody else access
     */
    public SharedAccess share(GrantTerms terms) {
        requireOpen();
        ArgumentChecks.required(terms, "the terms");
        return leases.getFirst().required("share").share(terms).await().indefinitely();
    }

    /** Takes back what {@link #share} gave: the token opens nothing any more, and sessions that it opened end. */
    public void unshare(SharedAccess access) {
        requireOpen();
        ArgumentChecks.required(access, "the access");
        leases.getFirst().required("unshare").unshare(access).await().indefinitely();
    }

    /** Waits until the machine is there. */
    public RemoteMachine awaitReady() {
        requireOpen();
        recorder.awaitReady();
        return this;
    }

    /**
     * Waits until everything that was recorded has been executed. Throws the first failure that the program has not been told of,
     * with the others as suppressed ones; reads of what they touched throw all the same.
     */
    public void synchronize() {
        requireOpen();
        recorder.current().drain();
    }

    /** How many values the program holds; 0 when every tensor is closed. */
    public long heldValues() {
        return recorder.heldValues();
    }

    /**
     * Gives the machine back. Throws the failures that no call has thrown yet: a failed start, or failures of values that were never read.
     * To find them, it waits until the machine has computed the recorded work, for at most {@link MachineOptions#closeLimit}. It also
     * waits if the provider has handed out the machine but the machine has not answered yet. If the provider has not handed it out, the
     * start is cancelled and nothing is computed. If the body of a try-with-resources statement throws, the failures become suppressed
     * exceptions of the body's exception. A second call does nothing.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        try {
            recorder.close();
        } finally {
            OpenMachineNames.release(name, this);
            if (profile != null) {
                profile.write();
            }
        }
    }

    /**
     * Opens a place that the machine reads models from, such as {@code s3://bucket/model}, {@code hf://org/model} or {@code
     * file:/models/model}; the client needs no access to it. The machine's settings say what it may open. Waits.
     */
    public Source open(String uri) {
        requireOpen();
        return Source.open(this, uri);
    }

    /** As {@link #save(String, Map, Map, long)}, tensors alone, in files of at most 4 GiB. */
    public long save(String uri, Map<String, Tensor> stateDict) {
        return save(uri, stateDict, Map.of(), 4L << 30);
    }

    /**
     * Has the machine write tensors to a place that it may open, as {@link #open} reads them: safetensors files in Hugging Face's
     * layout. Nothing of them passes through the client. A place where tensors are already is refused. What makes the model
     * whole is written last, so one that is half written never looks whole. Waits.
     *
     * @param uri such as {@code s3://bucket/model} or {@code file:/models/model}
     * @param stateDict by name; values on this machine
     * @param files small files beside them, such as {@code config.json}, by path
     * @param shardBytes what a file has of tensors at most, unless one of them has more
     * @return how many bytes were written
     */
    public long save(String uri, Map<String, Tensor> stateDict, Map<String, String> files, long shardBytes) {
        return recorder().waits().awaitLatest(() -> saveAsync(uri, stateDict, files, shardBytes));
    }

    /**
     * As {@link #save(String, Map, Map, long)}, of the values that the tensors have now, without waiting until they are written. Steps
     * that change the tensors meanwhile make new values, so nothing is copied; the old ones are held until then.
     *
     * @return how many bytes were written, once they are; or why they were not
     */
    public CompletableFuture<Long> saveAsync(
            String uri, Map<String, Tensor> stateDict, Map<String, String> files, long shardBytes) {
        return saveAsync(uri, stateDict, files, shardBytes, "");
    }

    /**
     * As {@link #saveAsync(String, Map, Map, long)}, in files of another name.
     *
     * @param stem what the files of tensors are called, such as {@code adapter_model}, or empty for {@code model}
     */
    public CompletableFuture<Long> saveAsync(
            String uri, Map<String, Tensor> stateDict, Map<String, String> files, long shardBytes, String stem) {
        requireOpen();
        ArgumentChecks.required(uri, "the URI");
        if (stateDict.isEmpty() || shardBytes < 1) {
            throw new OutpostException(
                    FaultKind.USER,
                    "save: expected tensors, and a size of files from 1 on, got " + stateDict.size() + " tensors and "
                            + shardBytes + " bytes");
        }
        SequencedMap<String, StoredOperand> operands = new LinkedHashMap<>();
        stateDict.forEach((name, tensor) -> {
            if (tensor.machine() != this) {
                throw new OutpostException(
                        FaultKind.USER,
                        "save: " + name + " is on another machine, got "
                                + tensor.machine().name() + " for " + name());
            }
            BatchLevel.requireValue("save", tensor);
            operands.put(name, new StoredOperand(States.cell(tensor), States.layout(tensor)));
        });
        SequencedMap<String, byte[]> texts = new LinkedHashMap<>();
        files.forEach((path, text) -> texts.put(path, text.getBytes(StandardCharsets.UTF_8)));
        CompletableFuture<byte[]> answer = recorder().current().save(uri, operands, texts, shardBytes, stem);
        Reference.reachabilityFence(stateDict);
        return answer.thenApply(bytes -> new ByteReader(bytes).varint());
    }

    /**
     * Has the machine delete a checkpoint: a place with a file {@code checkpoint.json}, as what trains writes them. Its tensors, their
     * index and that file go. Other files of the place stay, and any other place is refused, as one with a model that somebody put
     * there. Waits.
     */
    public void deleteCheckpoint(String uri) {
        requireOpen();
        recorder()
                .ask(SourceQuestion.newBuilder()
                        .setDelete(SourceQuestion.Delete.newBuilder().setUri(ArgumentChecks.required(uri, "the URI")))
                        .build());
    }

    // ---- programs

    /**
     * A function that is traced when it is first called, kept on the machine, and called there by a number: a call costs
     * next to nothing on this side, however much it computes. See {@link Program}.
     *
     * <pre>{@code
     * Program step = machine.program(inputs -> {
     *     optimizer.zeroGrad();
     *     Tensor loss = Functional.crossEntropy(model.forward(inputs.get(0)), inputs.get(1));
     *     loss.backward();
     *     optimizer.step();
     *     return List.of(loss);
     * });
     * Tensor loss = step.call(images, labels).getFirst();
     * }</pre>
     */
    public Program program(Program.Body body) {
        return new Program(this, body);
    }

    /**
     * Makes a program callable by HTTP: {@code POST /v1/programs/NAME} at a gateway of the backend that this machine is of. It is
     * published for inputs like those of its latest call, with the values that it captures as they are now; it runs on machines of its
     * own, which come and go as it is called, and outlives this one. Publishing a name again rolls the new program out.
     *
     * <p>Where each row of what it answers depends on that row of its inputs alone, calls have any number of rows, and those that wait
     * are computed together. Waits until the machine is there and the backend has the program.
     *
     * @param name 1 to 40 lower-case letters, digits and inner dashes
     * @param program one that was called; it draws no random numbers and writes nothing in place
     * @throws IllegalStateException where the machine is of no backend
     */
    public PublishedProgram publish(String name, Program program) {
        awaitReady();
        return ProgramPublication.publish(leases.getFirst().required("publish"), this, name, program);
    }

    /**
     * Has the machine run a program {@code n} times in one request; see {@link Scan}. The function is given what is carried
     * and, as its last input, the number of the run, a scalar int64 from 0. It answers what is carried on, as many of the
     * same types; whatever it answers beyond that is emitted.
     */
    public Scan scan(Program program, List<Tensor> carry, long n) {
        return scan(program, carry, n, EmitMode.STREAM);
    }

    /** As {@link #scan(Program, List, long)}; what is emitted goes where {@code emit} says. */
    public Scan scan(Program program, List<Tensor> carry, long n, EmitMode emit) {
        return program.scan(carry, n, TracedMode.Kind.SCAN, emit);
    }

    /**
     * As {@link #scan}, at most {@code n} times. Behind what is carried the function answers a condition, a scalar bool: the
     * run in which it is true is the last.
     */
    public Scan scanUntil(Program program, List<Tensor> carry, long n) {
        return scanUntil(program, carry, n, EmitMode.STREAM);
    }

    /** As {@link #scanUntil(Program, List, long)}; what is emitted goes where {@code emit} says. */
    public Scan scanUntil(Program program, List<Tensor> carry, long n, EmitMode emit) {
        return program.scan(carry, n, TracedMode.Kind.SCAN_UNTIL, emit);
    }

    /**
     * Returns name, the provider's id, GPU and phase, for example {@code RemoteMachine(mock-A100, id mock-1, mock CPU, ready)}. Does not
     * wait, so that a debugger may call it at any time.
     */
    @Override
    public String toString() {
        return "RemoteMachine" + description();
    }

    /** Returns name, ids, GPU and phase in parentheses. */
    String description() {
        String device = device();
        StringJoiner text = new StringJoiner(", ", "(", ")");
        text.add(name);
        text.add(ids());
        if (device != null || !gpu.isEmpty()) {
            text.add(device == null ? gpu : device);
        }
        return text.add(phase()).toString();
    }

    private String ids() {
        String ids = leases.stream()
                .flatMap(lease -> lease.known().map(Lease::id).stream())
                .collect(Collectors.joining(" "));
        return ids.isEmpty() ? "no id yet" : "id " + ids;
    }

    private String phase() {
        if (closed) {
            return "closed";
        }
        if (recorder.isOver()) {
            return recorder.isLost() ? "lost" : "failed";
        }
        Provisioning start = recorder.provisioning();
        return switch (start.state()) {
            case READY -> "ready";
            case FAILED -> "failed";
            case GOING_ON -> start.text().isEmpty() ? "starting" : "starting: " + start.text();
        };
    }

    // ---- for the rest of the package

    private boolean isScopeOpen() {
        return TensorScope.isOpen(recorder);
    }

    /** @hidden */
    @Override
    protected TensorDevice home() {
        if (recorder.isLost() || closed) {
            restart();
        }
        return device;
    }

    /** Asks the machine about its connections with others. */
    CompletableFuture<byte[]> askPeers(PeerQuestion question) {
        if (recorder() instanceof SessionRecorder single) {
            return single.askPeers(question);
        }
        throw new IllegalArgumentException(
                "links: " + name + " is a group of machines, which are connected with each other already");
    }

    Recorder recorder() {
        return home().recorder();
    }

    /** Of several machines, whatever has become of them. */
    GroupRecorder recorderOfGroup() {
        return (GroupRecorder) recorder;
    }

    void endSegment() {
        recorder.endSegment();
    }

    private void restart() {
        lock.lock();
        try {
            requireOpen();
            if (recorder.isLost()) {
                requireSuccession();
                recorder.restart();
            }
        } finally {
            lock.unlock();
        }
    }

    private void requireSuccession() {
        if (!recorder.isLostAsAgreed() && options.onLoss() == MachineLossPolicy.FAIL) {
            throw recorder.loss("MachineOptions.onLoss(MachineLossPolicy.RESTART) would start another");
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new OutpostException(FaultKind.USER, name() + ": the machine is closed");
        }
    }
}
