package dev.outpost;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.group.GroupRecorder;
import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.profile.Profile;
import dev.outpost.client.program.HostStates;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.record.StoredOperand;
import dev.outpost.client.session.IdleWatch;
import dev.outpost.client.session.MachineRecorder;
import dev.outpost.client.session.SessionKeys;
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
import dev.outpost.protocol.message.SessionKey;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A remote machine with a GPU. The program holds it until {@link #close}.
 *
 * <pre>{@code
 * try (var machine = RemoteMachine.of("k8s", "A100")) {
 *     var x = machine.randn(1000, 1000);
 *     var y = machine.randn(1000, 1000);
 *     System.out.println(x.matmul(y).relu().mean().item());
 * }
 * }</pre>
 *
 * <p>Recording begins at once, while the machine is still starting. Thread-safe. If the machine is lost, its tensors
 * are lost too ({@code MachineLostException}), and {@link MachineOptions#onLoss} decides if a new tensor starts
 * another machine. If the machine ended because it was idle for the agreed time, the next new tensor starts another
 * machine.
 */
public final class RemoteMachine extends TensorMachine implements MachineOps, AutoCloseable {
    static {
        LibraryNotices.silence();
    }

    private final String name;
    private final MachineOptions options;
    /** Null if no profile was requested. */
    private final @Nullable Profile profile;

    private final ReentrantLock lock = new ReentrantLock();
    private final RandomStream random = new RandomStream();
    private final TensorDevice device;
    private final MachineRecorder recorder;
    private volatile boolean closed;

    /** The latest lease of each member, by rank; a single machine has one lease. */
    private final List<LatestLease> leases;
    /** The access that this program has granted, by id. */
    private final Map<String, SharedAccess> shared = new ConcurrentHashMap<>();
    /** The requested GPU; empty if the machine already existed. */
    private final String gpu;

    /** The provider that can start the machine again; null if this program attached to a machine, or has a group. */
    private final @Nullable GpuProvider provider;
    /** Null for a group. */
    private final @Nullable KeptTensors kept;
    /** Held here, because its watch holds it weakly; null if the machine is not paused when it is idle. */
    private final IdleWatch.@Nullable Machine idle;

    private RemoteMachine(
            String wantedName,
            String gpu,
            @Nullable GpuProvider provider,
            MachineSource source,
            MachineOptions options) {
        options.requirePausable(false);
        this.provider = provider;
        this.name = OpenMachineNames.take(wantedName, this);
        this.gpu = gpu;
        this.leases = List.of(new LatestLease());
        this.options = options;
        this.profile = options.profile();
        SessionRecorder single = new SessionRecorder(
                name,
                options.session(),
                random,
                start(name, leases.getFirst().of(source)),
                this::isScopeOpen,
                options.store(),
                options.keepsStates());
        this.recorder = single;
        this.device = new TensorDevice(this, recorder, random, Tensor.FACTORY);
        this.kept = new KeptTensors(this, device, single);
        this.idle =
                options.pauseWhenIdle().map(after -> watchIdle(single, after)).orElse(null);
    }

    /** Creates a machine that stands for several machines that compute as one; see {@link MachineGroup}. */
    private RemoteMachine(String wantedName, String gpu, List<MachineSource> members, MachineOptions options) {
        options.requirePausable(true);
        this.provider = null;
        this.kept = null;
        this.idle = null;
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

    private IdleWatch.Machine watchIdle(SessionRecorder single, Duration after) {
        IdleWatch.Machine machine = new IdleWatch.Machine() {
            @Override
            public String name() {
                return RemoteMachine.this.name();
            }

            @Override
            public Optional<IdleWatch.Use> use() {
                return shared.isEmpty() ? single.use() : Optional.empty();
            }

            @Override
            public boolean isClosed() {
                return closed;
            }

            @Override
            public void pause() {
                RemoteMachine.this.pause();
            }
        };
        IdleWatch.begin(machine, after);
        return machine;
    }

    private StartSpec start(String ofMember, MachineSource source) {
        return new StartSpec(
                source, () -> options.view(ofMember), () -> profile == null ? null : profile.session(ofMember));
    }

    /**
     * Starts machines of one provider, with one GPU each, that compute as one.
     *
     * @param isOneHost true if all GPUs must be in one host
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
     * Opens the machine that the system property {@code outpost.machine}, or else the environment variable {@code OUTPOST_MACHINE},
     * names ({@link MachineName}). Without them, starts a process on this host ({@code process:any}) if that provider is on the class
     * path and has a runtime, otherwise a mock inside this JVM. Prints the choice to standard error.
     *
     * {@snippet file="MachineExamplesTest.java" region="openedMachine"}
     *
     * @throws IllegalArgumentException if the name has an unknown form, its endpoint has no valid token, or a setting of the process is
     *     wrong
     * @throws IllegalStateException if no machine is named and neither {@code process} nor {@code mock} is on the class path
     * @throws dev.outpost.provider.UnknownProviderException if there is no such provider
     * @throws dev.outpost.provider.UnknownGpuException if the catalogue has no such GPU
     */
    public static RemoteMachine open() {
        return open(new MachineOptions());
    }

    /** Like {@link #open()}, but with options; the count of GPUs is that of the name. */
    public static RemoteMachine open(MachineOptions options) {
        OpenedMachine chosen = OpenedMachine.choose(required(options).options());
        System.err.println(chosen.sentence());
        return open(chosen.name(), options);
    }

    /**
     * Opens the machine of a name, and prints nothing.
     *
     * {@snippet file="MachineExamplesTest.java" region="machineName"}
     *
     * @throws IllegalArgumentException if an endpoint has no valid token
     */
    public static RemoteMachine open(MachineName name, MachineOptions options) {
        return switch (ArgumentChecks.required(name, "the name of the machine")) {
            case MachineName.OfProvider named ->
                of(named.provider(), named.gpu(), required(options).gpuCount(named.count()));
            case MachineName.OfEndpoint running ->
                connect(EndpointProvider.ofEnvironment(running.address()), required(options));
        };
    }

    private static MachineOptions required(MachineOptions options) {
        return ArgumentChecks.required(options, "the options");
    }

    /**
     * Starts a machine of a provider, found by its name. Returns at once: ops are recorded while the machine starts.
     *
     * {@snippet file="MachineExamplesTest.java" region="of"}
     *
     * @param provider the provider's name, such as {@code mock} or {@code k8s}
     * @param gpu a name in the catalogue, such as {@code A100}, or {@code any}
     * @throws dev.outpost.provider.UnknownProviderException if no provider has this name
     * @throws dev.outpost.provider.UnknownGpuException if the catalogue has no such GPU
     */
    public static RemoteMachine of(String provider, String gpu) {
        return of(provider, gpu, new MachineOptions());
    }

    /**
     * Like {@link #of(String, String)}, but with several GPUs that compute as one: a {@linkplain MachineGroup group}
     * whose members have one GPU each. Tensors created on this machine are replicated; {@link
     * MachineGroup#of(RemoteMachine)} offers other placements.
     *
     * {@snippet file="MachineExamplesTest.java" region="gpuCount"}
     *
     * @param gpuCount the number of GPUs, 1 or more
     */
    public static RemoteMachine of(String provider, String gpu, int gpuCount) {
        return of(provider, gpu, new MachineOptions().gpuCount(gpuCount));
    }

    /**
     * Like {@link #of(String, String)}, but with options. Throws at once for unknown names and invalid options, because
     * these checks need no network access.
     *
     * {@snippet file="MachineExamplesTest.java" region="options"}
     */
    public static RemoteMachine of(String provider, String gpu, MachineOptions options) {
        return of(Providers.discover().find(ArgumentChecks.required(provider, "the provider")), gpu, options);
    }

    /** Starts a machine of a provider that the program created itself. */
    public static RemoteMachine of(GpuProvider provider, String gpu, MachineOptions options) {
        ArgumentChecks.required(provider, "the provider");
        ArgumentChecks.required(options, "the options");
        if (options.gpuCount() > 1) {
            return group(provider, gpu, options.gpuCount(), options, true);
        }
        MachineSpec spec = spec(provider, gpu, options);
        provider.validate(spec);
        return new RemoteMachine(spec.name(), gpu, provider, progress -> provider.provision(spec, progress), options);
    }

    private static MachineSpec spec(GpuProvider provider, String gpu, MachineOptions options) {
        return new MachineSpec(
                GpuCatalogue.configured().find(ArgumentChecks.required(gpu, "the GPU")),
                options.gpuCount(),
                options.options(),
                provider.name() + "-" + gpu);
    }

    /**
     * Continues with the session of another process. It has the tensors that the other process {@linkplain #keep(String, Tensor)
     * kept}, by their names, and the stream of random numbers continues. The other process can no longer use the session, even if it
     * still runs. If several processes attach, the last one has the session.
     *
     * <p>The machine keeps the session for a lease after the last message of its client. Later, or if the machine is gone, the latest
     * state in {@link MachineOptions#store} is loaded into another machine.
     *
     * @param key the text of {@link #sessionKey} or {@link #handOver}
     * @throws OutpostException if neither the session nor a state is there, or the text is no key
     */
    public static RemoteMachine attach(String key) {
        return attach(key, new MachineOptions());
    }

    /** Like {@link #attach(String)}, but with options. The provider's options and the store are those of the key. */
    public static RemoteMachine attach(String key, MachineOptions options) {
        SessionKey parsed = SessionKeys.parse(ArgumentChecks.required(key, "the key"));
        return attach(Providers.discover().find(parsed.getProvider()), parsed, required(options));
    }

    private static RemoteMachine attach(GpuProvider provider, SessionKey key, MachineOptions options) {
        if (options.gpuCount() > 1) {
            throw new IllegalArgumentException("attach: the session has one GPU, got " + options.gpuCount());
        }
        key.getOptionsMap().forEach(options::option);
        if (key.hasPlace()) {
            options.store(key.getPlace().getUri());
        }
        MachineSpec spec = spec(provider, key.getGpu(), options);
        AtomicBoolean isTaken = new AtomicBoolean();
        RemoteMachine machine = new RemoteMachine(
                spec.name(),
                key.getGpu(),
                provider,
                progress -> isTaken.getAndSet(true)
                        ? provider.provision(spec, progress)
                        : provider.takeOver(key.getMachine(), spec, progress),
                options);
        String missing = machine.takeOver(key);
        if (missing == null) {
            return machine;
        }
        if (!key.hasPlace()) {
            throw new OutpostException(
                    FaultKind.EXTERNAL,
                    "attach: the session is gone: " + missing
                            + "; with a store (MachineOptions.store), the latest state of pause() would be loaded");
        }
        RemoteMachine next = new RemoteMachine(
                spec.name(), key.getGpu(), provider, progress -> provider.provision(spec, progress), options);
        next.restore(key);
        return next;
    }

    /** Returns null, or the reason why there is no session any more; then this machine is closed. */
    private @Nullable String takeOver(SessionKey key) {
        String missing = "its lease ran out, or it was closed";
        try {
            if (single("attach").takeOver(key, tensors("attach")::restored)) {
                tensors("attach").allRestored();
                return null;
            }
        } catch (OutpostException failure) {
            missing = failure.getMessage();
        }
        closeQuietly();
        return missing;
    }

    private void restore(SessionKey key) {
        try {
            single("attach").restore(key, tensors("attach")::restored);
            tensors("attach").allRestored();
        } catch (OutpostException failure) {
            closeQuietly();
            throw failure;
        }
    }

    private void closeQuietly() {
        try {
            close();
        } catch (OutpostException ignored) {
            // The caller reports why the machine could not be used.
        }
    }

    /**
     * Attaches to a machine that runs independently of a client, such as one started by {@code ./outpost machines start}. Closing
     * detaches from the machine and leaves it running.
     *
     * @param provider the provider's name, such as {@code k8s}
     * @param id the provider's id of the machine
     */
    public static RemoteMachine attach(String provider, String id) {
        return attach(provider, id, new MachineOptions());
    }

    /** Like {@link #attach(String, String)}, but with options. */
    public static RemoteMachine attach(String provider, String id, MachineOptions options) {
        return attach(Providers.discover().find(provider), id, options);
    }

    /** Like {@link #attach(String, String)}, but for a provider that the program created itself. */
    public static RemoteMachine attach(GpuProvider provider, String id, MachineOptions options) {
        MachineKeeper keeper = provider.keeper()
                .orElseThrow(() -> new IllegalArgumentException("attach: provider " + provider.name()
                        + " has no machines that live without a client, so there is none called " + id
                        + "; RemoteMachine.of starts one"));
        options.requireNoneOfAMachine();
        return new RemoteMachine(id, "", null, progress -> keeper.attach(id, progress), options);
    }

    /**
     * Connects to a running machine by its address, for example one started by {@code ./outpost runtime}.
     *
     * @param endpoint {@code host:port}, or {@code unix:/path} for a socket on this host
     * @param token the connection token that the machine printed; ignored for a socket
     */
    public static RemoteMachine connect(String endpoint, String token) {
        return connect(endpoint, token, new MachineOptions());
    }

    /** Like {@link #connect(String, String)}, but with options. */
    public static RemoteMachine connect(String endpoint, String token, MachineOptions options) {
        return connect(EndpointAddress.parse(endpoint, token, null), options);
    }

    /**
     * Like {@link #connect(String, String)}, but for an endpoint, which may name a certificate authority that signs
     * the machine's certificate.
     */
    public static RemoteMachine connect(Endpoint endpoint, MachineOptions options) {
        return of(new EndpointProvider(endpoint), GpuType.ANY.name(), options);
    }

    @Override
    public RemoteMachine self() {
        return this;
    }

    /**
     * Returns the name in logs and errors, for example {@code mock-A100}. While another machine of this JVM has the
     * same name, the name ends in a number, such as {@code mock-A100#2}.
     */
    public String name() {
        return name;
    }

    /** Returns the name of the machine's device, or null if the machine has not started yet. */
    public @Nullable String device() {
        return recorder.device();
    }

    /** Opens a scope on this thread; see {@link Scope}. */
    public Scope scope() {
        requireOpen();
        return new Scope(TensorScope.open(recorder));
    }

    /** Runs the body as if no scope were open on this thread, so no scope closes the tensors that it creates. */
    public <T extends @Nullable Object> T unscoped(Supplier<T> body) {
        return TensorScope.unscoped(body);
    }

    /** Ends this thread's segment if no scope is open. Optimizers call it at the end of each step. */
    public void endStep() {
        if (!isScopeOpen()) {
            requireOpen();
            recorder.endSegment();
        }
    }

    /**
     * Restarts the random stream (torch.manual_seed). Equal seeds give equal numbers on every engine.
     *
     * {@snippet file="MachineExamplesTest.java" region="manualSeed"}
     *
     * @throws OutpostException while a program is traced
     */
    public RemoteMachine manualSeed(long newSeed) {
        HostStates.ofThread()
                .refuseTraced(
                        "manual_seed", "a program draws from the stream of each call, so it cannot begin another");
        random.restart(newSeed);
        return this;
    }

    /**
     * Returns the position of the random stream. {@link #randomState(Generator.State)} continues from it, on any machine.
     *
     * {@snippet file="MachineExamplesTest.java" region="randomState"}
     */
    public Generator.State randomState() {
        RandomStream.Position position = random.position();
        return new Generator.State(position.seed(), position.draws());
    }

    /** Continues the random stream from a saved position, for example when training resumes. */
    public RemoteMachine randomState(Generator.State state) {
        HostStates.ofThread()
                .refuseTraced("manual_seed", "a program draws from the stream of each call, so it cannot move it");
        ArgumentChecks.required(state, "the state");
        random.restart(new RandomStream.Position(state.seed(), state.draws()));
        return this;
    }

    /**
     * Returns the number of bytes that this client's values may take on the machine at a time. For a group this is
     * the smallest number of all members. Waits until the machine is ready.
     */
    public long quotaBytes() {
        recorder.awaitReady();
        return recorder.quotaBytes();
    }

    /** Returns the time that each phase of the machine's start took, or has taken so far. Does not wait. */
    public Provisioning provisioning() {
        return recorder.provisioning();
    }

    /** Returns the current counters. Does not wait. */
    public MachineStats stats() {
        return recorder.stats();
    }

    /**
     * Grants another user access to this machine. The user {@linkplain #connect(Endpoint, MachineOptions) connects} to the endpoint in
     * the result. The terms set the duration, the share of memory, the weight, and if the user may compute or only observe. Waits until
     * the machine's provider has registered the grant. A group cannot be shared.
     *
     * @throws IllegalStateException if the machine has not started yet, or its provider does not support sharing
     */
    public SharedAccess share(GrantTerms terms) {
        requireOpen();
        ArgumentChecks.required(terms, "the terms");
        SharedAccess access =
                leases.getFirst().required("share").share(terms).await().indefinitely();
        shared.put(access.id(), access);
        return access;
    }

    /** Revokes access that {@link #share} granted. The token becomes invalid, and sessions opened with it end. */
    public void unshare(SharedAccess access) {
        requireOpen();
        ArgumentChecks.required(access, "the access");
        leases.getFirst().required("unshare").unshare(access).await().indefinitely();
        shared.remove(access.id());
    }

    /** Waits until the machine has started. */
    public RemoteMachine awaitReady() {
        requireOpen();
        recorder.awaitReady();
        return this;
    }

    /**
     * Pauses the machine: waits until it has computed the recorded work, makes it write its state to {@link MachineOptions#store}, and
     * releases it. Tensors, optimizers, programs and scans stay valid. The next use, or {@link #resume}, starts a machine that loads the
     * state and continues with the same bits. Other threads that use the machine meanwhile wait, and the first of them resumes it. Values
     * that were read before can be read again without a machine. A second pause writes only what has changed. Does nothing if the machine
     * is paused.
     *
     * {@snippet file="MachineExamplesTest.java" region="pause"}
     *
     * @throws OutpostException if no store is set, the machine is {@linkplain #share shared}, its memory does not suffice to compute the
     *     deferred values, or the state could not be written; then the machine continues as before
     */
    public void pause() {
        requireOpen();
        String store = options.store()
                .orElseThrow(() -> new OutpostException(
                        FaultKind.USER,
                        "pause: " + name
                                + " has no store for its state; set one by MachineOptions.store(\"file:/states\")"));
        SessionRecorder pausable = pausable("pause");
        requireUnshared();
        pausable.pause(store);
    }

    /**
     * Resumes a {@linkplain #pause paused} machine, and waits until it has loaded its state. Does nothing if the machine is not paused.
     *
     * @throws OutpostException if no machine starts or the state cannot be read; then the machine stays paused, and a later call tries
     *     again. If the elements of some values are lost, names these values; then the machine has resumed with all others
     */
    public void resume() {
        requireOpen();
        if (pausable("resume").resume()) {
            recorder.drain();
        }
    }

    // ---- other processes

    /**
     * Gives a tensor a name on the machine. The name travels with saved states, and another process that continues with the session finds
     * the tensor by it. It means the elements that the tensor has after the latest complete segment, so training steps that write the
     * tensor need not keep it again. The machine holds the elements even if the tensor is closed, until {@link #forget}. While a segment
     * overwrites kept tensors, the machine needs memory for their elements before and after it. Waits until the machine is ready.
     *
     * {@snippet file="MachineExamplesTest.java" region="keep"}
     *
     * @param keptName 1 to 200 characters; an earlier tensor of this name is replaced
     * @throws OutpostException if the tensor is on another machine, or autograd has recorded the op that computed it
     */
    public void keep(String keptName, Tensor tensor) {
        requireOpen();
        HostStates.ofThread().refuseTraced("keep", "a value of a trace is no value of the machine");
        tensors("keep")
                .keep(ArgumentChecks.required(keptName, "the name"), ArgumentChecks.required(tensor, "the tensor"));
    }

    /** Keeps each tensor of a state, such as {@code module.stateDict()}, under {@code keptName.KEY}; see {@link #keptState}. */
    public void keep(String keptName, Map<String, Tensor> state) {
        ArgumentChecks.required(state, "the state").forEach((key, tensor) -> keep(keptName + "." + key, tensor));
    }

    /**
     * Returns the tensor that was kept under this name, by this process or by the one before. It shares its elements with the kept one.
     *
     * @throws OutpostException if there is none; names those that there are
     */
    public Tensor kept(String keptName) {
        requireOpen();
        return tensors("kept").get(ArgumentChecks.required(keptName, "the name"));
    }

    /** Returns all kept tensors, in the order of their names. */
    public SequencedMap<String, Tensor> kept() {
        requireOpen();
        return tensors("kept").all();
    }

    /** Returns the tensors that {@link #keep(String, Map)} kept, by their keys; empty if there are none. */
    public SequencedMap<String, Tensor> keptState(String keptName) {
        String prefix = ArgumentChecks.required(keptName, "the name") + ".";
        SequencedMap<String, Tensor> state = new LinkedHashMap<>();
        kept().forEach((each, tensor) -> {
            if (each.startsWith(prefix)) {
                state.put(each.substring(prefix.length()), tensor);
            } else {
                tensor.close();
            }
        });
        return state;
    }

    /** Removes a name. Does nothing if there is none. */
    public void forget(String keptName) {
        requireOpen();
        tensors("forget").forget(ArgumentChecks.required(keptName, "the name"));
    }

    /**
     * Returns the key by which another process can {@linkplain #attach(String) continue} with this session, also if this process is
     * killed. The key gives full access to the session and contains the provider's options, so keep it secret. It is valid
     * until this machine is replaced, for example by {@link #resume}; then ask again. If this process ends without {@link #close}, the
     * machine is not released any more, but waits for a lease. Waits until the machine is ready.
     *
     * @throws OutpostException if the provider cannot pass its machines on
     */
    public String sessionKey() {
        requireOpen();
        SessionRecorder single = single("sessionKey");
        awaitReady();
        GpuProvider startedBy = provider;
        Optional<String> transfer = leases.getFirst().required("sessionKey").transferText();
        if (startedBy == null || transfer.isEmpty()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "sessionKey: the provider of " + name + " cannot pass a machine on to another process; process,"
                            + " outpost and mock can");
        }
        return SessionKeys.text(single.key(options.store())
                .setProvider(startedBy.name())
                .setMachine(transfer.get())
                .setGpu(gpu)
                .putAllOptions(options.options())
                .build());
    }

    /**
     * Waits until the recorded work is done, and leaves the session to another process. This object is then closed, and the machine waits
     * for a lease for the process that {@linkplain #attach(String) attaches}.
     *
     * @return the key; see {@link #sessionKey}
     */
    public String handOver() {
        requireUnshared();
        requireOpen();
        recorder.awaitReady();
        recorder.drain();
        String key = sessionKey();
        single("handOver").handOver();
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        OpenMachineNames.release(name, this);
        return key;
    }

    private KeptTensors tensors(String call) {
        single(call);
        return Objects.requireNonNull(kept, "kept");
    }

    private SessionRecorder single(String call) {
        if (recorder instanceof SessionRecorder single) {
            return single;
        }
        throw new OutpostException(
                FaultKind.USER,
                call + ": " + name + " is a group of machines, and a group cannot be passed on to another process");
    }

    private void requireUnshared() {
        Instant now = Instant.now();
        shared.values()
                .removeIf(access -> access.terms()
                        .expires()
                        .filter(end -> !end.isAfter(now))
                        .isPresent());
        if (!shared.isEmpty() && !recorder.isPaused() && !recorder.isOver()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "pause: " + name + " is shared with " + shared.size()
                            + " others, whose sessions would end; revoke their access by unshare before");
        }
    }

    private SessionRecorder pausable(String call) {
        HostStates.ofThread().refuseTraced(call, "a program runs on the machine, so it cannot release it");
        if (recorder instanceof SessionRecorder single) {
            return single;
        }
        throw new OutpostException(
                FaultKind.USER, call + ": " + name + " is a group of machines, and a group cannot be paused");
    }

    /**
     * Waits until all recorded work has been executed. Throws the first failure that has not been thrown yet, with the others as
     * suppressed exceptions. Later reads of values that these failures affected still throw.
     *
     * {@snippet file="MachineExamplesTest.java" region="synchronize"}
     *
     * @throws OutpostException the first failure that no call has thrown yet
     */
    public void synchronize() {
        requireOpen();
        recorder.current().drain();
    }

    /**
     * Returns the number of values that the program holds; 0 if every tensor is closed. Does not wait.
     *
     * {@snippet file="MachineExamplesTest.java" region="heldValues"}
     */
    public long heldValues() {
        return recorder.heldValues();
    }

    /**
     * Returns the machine to its provider. Throws the failures that no call has thrown yet: a failed start, or
     * failures of values that were never read. To find them, it waits until the machine has computed the recorded
     * work, for at most {@link MachineOptions#closeLimit}. It also waits if the provider has handed out the machine
     * but the machine has not answered yet. If the provider has not handed it out, the start is cancelled and nothing
     * is computed. If the body of a try-with-resources statement throws, the failures become suppressed exceptions of
     * the body's exception. A second call does nothing.
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
     * Opens a location that the machine reads models from, such as {@code s3://bucket/model}, {@code hf://org/model} or {@code
     * file:/models/model}. The client needs no access to it. The machine's settings list the locations that it may open. Waits.
     *
     * {@snippet file="MachineExamplesTest.java" region="open"}
     *
     * @throws OutpostException if the machine may not open the location, or nothing is there
     */
    public Source open(String uri) {
        requireOpen();
        return Source.open(this, uri);
    }

    /**
     * Like {@link #save(String, Map, Map, long)}, but without other files, in files of at most 4 GiB.
     *
     * {@snippet file="MachineExamplesTest.java" region="save"}
     *
     * @return the number of bytes written
     */
    public long save(String uri, Map<String, Tensor> stateDict) {
        return save(uri, stateDict, Map.of(), 4L << 30);
    }

    /**
     * Makes the machine write tensors to a location that it may open, in the format that {@link #open} reads: safetensors files in
     * Hugging Face's layout. The data does not pass through the client. Throws if the location contains tensors already. The file that
     * completes the model is written last, so an incomplete model never looks complete. Waits.
     *
     * @param uri the location, such as {@code s3://bucket/model} or {@code file:/models/model}
     * @param stateDict tensors on this machine, by name
     * @param files texts of small additional files, such as {@code config.json}, by path
     * @param shardBytes the maximum bytes of tensors in a file; a file with a single tensor may be larger
     * @return the number of bytes written
     */
    public long save(String uri, Map<String, Tensor> stateDict, Map<String, String> files, long shardBytes) {
        return recorder().waits().awaitLatest(() -> saveAsync(uri, stateDict, files, shardBytes));
    }

    /**
     * Like {@link #save(String, Map, Map, long)}, but does not wait until the files are written. Saves the values
     * that the tensors have now. Steps that change the tensors meanwhile create new values, so nothing is copied; the
     * machine keeps the old values until they are written.
     *
     * @return completes with the number of bytes written, or with the failure
     */
    public CompletableFuture<Long> saveAsync(
            String uri, Map<String, Tensor> stateDict, Map<String, String> files, long shardBytes) {
        return saveAsync(uri, stateDict, files, shardBytes, "");
    }

    /**
     * Like {@link #saveAsync(String, Map, Map, long)}, but with another file name.
     *
     * @param stem the name of the tensor files without number and extension, such as {@code adapter_model}; empty for {@code model}
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
     * Makes the machine delete a checkpoint: a location with a file {@code checkpoint.json}, as training code writes it. Deletes its
     * tensors, their index and {@code checkpoint.json}; keeps all other files. Throws if the location has no {@code checkpoint.json},
     * so it never deletes a model that is not a checkpoint. Waits.
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
     * Creates a program from a function. The first call traces the function, and the machine keeps the trace. Later calls send only
     * its number, so they cost the client almost nothing, however much they compute. See {@link Program}.
     *
     * {@snippet file="MachineExamplesTest.java" region="program"}
     *
     * <p>A training step is a program, too:
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
     * Makes a program callable by HTTP: {@code POST /v1/programs/NAME} at a gateway of the backend that provided this machine. The
     * published program accepts inputs like those of the latest call, and contains the current values of captured tensors. It runs on
     * its own machines, which start and stop with the load, and it remains after this machine is closed. Publishing a name again
     * replaces the program by a rolling update.
     *
     * <p>If each row of the outputs depends only on the same row of the inputs, calls may have any number of rows, and waiting calls
     * are computed together. Waits until the machine has started and the backend has stored the program.
     *
     * @param name 1 to 40 lower-case letters, digits and inner dashes
     * @param program a program that was called before, draws no random numbers and writes nothing in place
     * @throws IllegalStateException if no backend provided the machine
     */
    public PublishedProgram publish(String name, Program program) {
        awaitReady();
        return ProgramPublication.publish(leases.getFirst().required("publish"), this, name, program);
    }

    /**
     * Makes the machine run a program {@code n} times in one request; see {@link Scan}. The function receives the carried tensors and,
     * as its last input, the number of the run, a scalar int64 from 0. It first returns the new carried tensors, with the same number
     * and types. All further results are emitted.
     *
     * {@snippet file="MachineExamplesTest.java" region="scan"}
     *
     * @param carry the tensors that the first run gets
     * @param n the number of runs
     */
    public Scan scan(Program program, List<Tensor> carry, long n) {
        return scan(program, carry, n, EmitMode.STREAM);
    }

    /**
     * Like {@link #scan(Program, List, long)}, but with a destination for emitted values.
     *
     * {@snippet file="MachineExamplesTest.java" region="stacked"}
     */
    public Scan scan(Program program, List<Tensor> carry, long n, EmitMode emit) {
        return program.scan(carry, n, TracedMode.Kind.SCAN, emit);
    }

    /**
     * Like {@link #scan}, but runs the program at most {@code n} times. After the carried tensors, the function
     * returns a condition, a scalar bool. The first run that returns true is the last one.
     *
     * {@snippet file="MachineExamplesTest.java" region="scanUntil"}
     *
     * @param n the maximum number of runs
     */
    public Scan scanUntil(Program program, List<Tensor> carry, long n) {
        return scanUntil(program, carry, n, EmitMode.STREAM);
    }

    /** Like {@link #scanUntil(Program, List, long)}, but with a destination for emitted values. */
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
        if (recorder.isPaused()) {
            return "paused";
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

    /** Returns the recorder of a group, even if the group is lost or closed. */
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
                shared.clear();
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
