package dev.outpost.client;

import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.start.MachineStart;
import dev.outpost.client.transfer.BytesSink;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.protocol.message.SourceQuestion;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Split;
import dev.outpost.protocol.op.Upload;
import dev.outpost.protocol.op.WireFormat;
import dev.outpost.sharding.GroupExchange;
import dev.outpost.sharding.GroupStats;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Records for a group of machines: once, and each segment is rewritten into one for each member. One ledger, and an incarnation of
 * each member; the loss of one ends all of them. Thread-safe.
 */
public final class GroupRecorder implements MachineRecorder {
    /** How long a member waits for another one in an exchange. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Runs of a scan whose emissions may still be under way when the next one is sent. */
    private static final long MOST_EMISSIONS_AHEAD = 256;

    private final String name;
    private final SessionSettings settings;
    private final RandomStream random;
    private final List<MachineStart> starts;
    private final BooleanSupplier isScoped;
    private final Duration patience;
    private final Ledger ledger;
    private final AtomicLong lastUpdate = new AtomicLong();
    private final AtomicLong lastUpload = new AtomicLong();
    /** How this thread's uploads are placed; null for on all members. */
    private final ThreadLocal<Function<TensorType, Sharding>> placing = new ThreadLocal<>();

    private volatile Life life;
    private volatile WireFormat sumFormat = WireFormat.EXACT;

    /**
     * One life of the group.
     *
     * @param id what its machines call it
     * @param joined once the machines are connected with each other
     * @param isClosing whether the program ends it, so that the end of a member is no loss
     */
    private record Life(
            String id,
            List<Incarnation> members,
            GroupDelivery delivery,
            CompletableFuture<Void> joined,
            AtomicBoolean isClosing) {
        Incarnation lead() {
            return members.getFirst();
        }

        void awaitReady() {
            members.forEach(Incarnation::awaitReady);
            lead().waits().await(joined);
        }
    }

    /**
     * Begins, and asks for the machines.
     *
     * @param name what logs and errors call the group
     * @param random what random tensors draw from
     * @param starts how each member is started, by rank
     * @param isScoped whether what this thread makes is let go of by a scope, and so never waits for the collector
     * @param patience how long a member waits for another one in an exchange; empty for five minutes
     */
    public GroupRecorder(
            String name,
            SessionSettings settings,
            RandomStream random,
            List<MachineStart> starts,
            BooleanSupplier isScoped,
            Optional<Duration> patience) {
        this.name = name;
        this.settings = settings;
        this.random = random;
        this.starts = List.copyOf(starts);
        this.isScoped = isScoped;
        this.patience = patience.orElse(PATIENCE);
        this.ledger = new Ledger(name, this, settings.traces());
        restart();
    }

    @Override
    public void restart() {
        MemoryAccount account = new MemoryAccount();
        List<Incarnation> members = new ArrayList<>();
        for (int rank = 0; rank < starts.size(); rank++) {
            members.add(new Incarnation(memberName(rank), settings, starts.get(rank), ledger, account));
        }
        GroupDelivery delivery =
                new GroupDelivery(members.stream().map(Incarnation::delivery).toList(), ledger::nextId);
        delivery.sumFormat(sumFormat);
        Life next = new Life(
                UUID.randomUUID().toString(),
                List.copyOf(members),
                delivery,
                new CompletableFuture<>(),
                new AtomicBoolean());
        ledger.begin(new Generation(ledger, next.lead(), delivery, account, isScoped));
        for (int rank = 0; rank < members.size(); rank++) {
            int lost = rank;
            members.get(rank).becomeMember(next.id(), problem -> isBroken(next, problem));
            members.get(rank).whenOver(reason -> memberIsOver(next, lost, reason));
        }
        life = next;
        members.forEach(Incarnation::begin);
        join(next);
    }

    private String memberName(int rank) {
        return name + "[" + rank + "]";
    }

    /** Asks the members to be ready for each other, and then to connect. Segments that exchange something wait for that there. */
    private void join(Life group) {
        String key = HexFormat.of().formatHex(randomBytes());
        int size = group.members().size();
        List<CompletableFuture<byte[]>> addresses = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            PeerQuestion question = PeerQuestion.newBuilder()
                    .setOpen(PeerQuestion.Open.newBuilder()
                            .setGroup(group.id())
                            .setKey(key)
                            .setRank(rank)
                            .setSize(size))
                    .build();
            addresses.add(group.members().get(rank).askPeers(question));
        }
        all(addresses)
                .thenCompose(nothing -> {
                    List<String> texts = addresses.stream()
                            .map(address -> new String(address.join(), StandardCharsets.UTF_8))
                            .toList();
                    PeerQuestion question = PeerQuestion.newBuilder()
                            .setJoin(PeerQuestion.Join.newBuilder()
                                    .addAllAddresses(texts)
                                    .setPatienceMillis(patience.toMillis()))
                            .build();
                    return all(group.members().stream()
                            .map(member -> member.askPeers(question))
                            .toList());
                })
                .whenComplete((nothing, failure) -> {
                    if (failure == null) {
                        group.joined().complete(null);
                    } else {
                        group.joined().completeExceptionally(failure);
                        endAll(
                                group,
                                "its machines do not reach each other: "
                                        + rootOf(failure).getMessage(),
                                -1);
                    }
                });
    }

    private static byte[] randomBytes() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    private static Throwable rootOf(Throwable failure) {
        return failure.getCause() == null ? failure : rootOf(failure.getCause());
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<byte[]>> answers) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    }

    /** What is on the others is of no use without it. */
    private void memberIsOver(Life group, int lost, OutpostException reason) {
        endAll(group, "member " + lost + " is gone: " + reason.getMessage(), lost);
    }

    /** Its machines noticed that one is missing. What that one's provider or connection tells of it says more. */
    private void isBroken(Life group, String problem) {
        CompletableFuture.delayedExecutor(settings.lossPatience().toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> endAll(group, problem, -1));
    }

    private void endAll(Life group, String problem, int lost) {
        if (group.isClosing().get()) {
            return;
        }
        OutpostException reason = new MachineLostException(name + ": the group is lost: " + problem, null);
        for (int rank = 0; rank < group.members().size(); rank++) {
            if (rank != lost) {
                Incarnation member = group.members().get(rank);
                // Not here: this may be a thread that the member's end waits for.
                Thread.ofVirtual().name("outpost-group-end-" + name).start(() -> member.over(reason, false));
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Recorder current() {
        ProgramRecorder tracing = ProgramRecorder.ofThread();
        if (tracing == null) {
            return this;
        }
        tracing.requireHome(this);
        return tracing;
    }

    // ---- placements

    /** Has what this thread uploads within the body be placed so. */
    public <T> T placing(Function<TensorType, Sharding> placement, Supplier<T> body) {
        Function<TensorType, Sharding> before = placing.get();
        placing.set(placement);
        try {
            return body.get();
        } finally {
            placing.set(before);
        }
    }

    /** How large sums travel from here on; what was recorded before keeps its own. */
    public void sumFormat(WireFormat format) {
        ledger.endAllSegments();
        ledger.guarded(() -> {
            sumFormat = format;
            life.delivery().sumFormat(format);
            return null;
        });
    }

    @Override
    public Sharding sharding(Storage storage) {
        return ledger.sharding(storage.handle(), life.delivery());
    }

    /** The latest exchanges that were recorded, at most 10,000. */
    public List<GroupExchange> exchanges() {
        return ledger.guarded(() -> life.delivery().latestExchanges());
    }

    /** All exchanges that were recorded. */
    public GroupStats groupStats() {
        return ledger.guarded(() -> life.delivery().groupStats());
    }

    public int size() {
        return starts.size();
    }

    // ---- instructions

    @Override
    public <T> void record(Op op, Object[] operands, TensorType[] types, Function<RemoteValue, T> holder, T[] holders) {
        awaitRoom(life);
        ledger.record(op, operands, types, holder, holders);
    }

    private static void awaitRoom(Life group) {
        group.members().forEach(Incarnation::awaitRoom);
    }

    @Override
    public RemoteValue upload(TensorType type, ElementSource elements) {
        Life target = life;
        awaitRoom(target);
        Function<TensorType, Sharding> placement = placing.get();
        Sharding sharding = placement == null ? Sharding.replicated(size()) : placement.apply(type);
        long upload = lastUpload.incrementAndGet();
        target.delivery().place(upload, sharding);
        RemoteValue value = ledger.record(new Upload(type, upload), type, target.lead());
        try {
            for (int rank : sharding.workers()) {
                upload(target.members().get(rank), rank, upload, type, sharding, elements);
            }
            return value;
        } catch (OutpostException failed) {
            value.abandon();
            throw failed;
        }
    }

    private static void upload(
            Incarnation member, int rank, long upload, TensorType type, Sharding sharding, ElementSource elements) {
        TensorType part = new TensorType(type.dtype(), sharding.partOf(type.shape(), rank));
        if (part.bytes() == 0) {
            return;
        }
        ElementSource own = sharding.placement() instanceof Placement.Shard(Split split)
                ? new PartSource(elements, type, split, sharding.workers().indexOf(rank))
                : elements;
        member.upload(upload, part, own);
    }

    @Override
    public RemoteValue load(Load load) {
        Life target = life;
        awaitRoom(target);
        return ledger.record(load, load.type(), target.lead());
    }

    @Override
    public void endSegment() {
        ledger.endSegment();
    }

    // ---- storages

    @Override
    public RemoteValue value(Storage storage) {
        return storage.handle().held();
    }

    @Override
    public ValueHandle share(Object owner, Storage source) {
        return ledger.share(owner, source.handle());
    }

    @Override
    public void rebind(Storage target, Storage source) {
        ledger.rebind(target.handle(), source.handle());
    }

    // ---- programs

    @Override
    public ProgramRecorder trace(TraceStart begin) {
        life.lead().requireRunning();
        return ledger.trace(begin);
    }

    @Override
    public ProgramCalled run(ProgramRun run) {
        awaitRoom(life);
        return ledger.run(run, null);
    }

    /** Whether a scan goes on is asked here between its runs, so this returns when it is over, but for what is still under way. */
    @Override
    public ProgramCalled run(ProgramRun run, RemoteScan scan) {
        Life target = life;
        awaitRoom(target);
        target.lead().replies().fetches().open(scan);
        Begun begun = ledger.guarded(
                () -> new Begun(ledger.run(run, scan), target.delivery().takeBegun()));
        GroupCall call = begun.call();
        while (runNext(target, call, scan)) {
            ledger.guarded(() -> {
                call.goOn();
                return null;
            });
        }
        ledger.guarded(() -> {
            call.end();
            return null;
        });
        scan.progress(call.iterations(), true);
        target.lead().replies().fetches().forgetComplete();
        return begun.called();
    }

    private record Begun(ProgramCalled called, GroupCall call) {}

    /** The answer is whether another run follows. */
    private boolean runNext(Life target, GroupCall call, RemoteScan scan) {
        awaitRoom(target);
        ledger.guarded(() -> {
            call.runNext();
            return null;
        });
        scan.progress(call.iterations(), false);
        if (call.isLast() || call.stops() && isStopped(target, call)) {
            return false;
        }
        scan.awaitEmissions(call.iterations() - MOST_EMISSIONS_AHEAD);
        return true;
    }

    /** A condition that was lost says nothing: a scan that cannot know whether to go on does not. */
    private boolean isStopped(Life target, GroupCall call) {
        Fetches fetches = target.lead().replies().fetches();
        BytesSink sink = new BytesSink(1);
        CompletableFuture<Void> answer = asking(
                target,
                () -> ledger.guarded(() -> {
                    TensorType type = new TensorType(DType.BOOL, Shape.SCALAR);
                    long fetch = fetches.begin(type, sink);
                    target.delivery().fetch(fetch, call.stopId(), type);
                    return fetches.future(fetch);
                }));
        return target.lead()
                .waits()
                .await(answer.handle((nothing, failure) -> failure != null || sink.bytes()[0] != 0));
    }

    @Override
    public RemoteScan scan(TensorType[] emitted, long most) {
        return life.lead().scan(emitted, most);
    }

    @Override
    public void drop(RemoteProgram program) {
        // The members keep none.
    }

    // ---- reading

    @Override
    public CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink) {
        Life target = life;
        target.lead().requireRunning();
        if (!operand.isWhole()) {
            awaitRoom(target);
        }
        target.lead().awaitAnswers();
        return asking(target, () -> ledger.fetch(operand, sink));
    }

    /** What the first member answers may need the others. */
    private static <T> T asking(Life target, Supplier<T> question) {
        T asked = target.lead().sender().asking(question);
        flush(target);
        return asked;
    }

    private static void flush(Life target) {
        target.members().forEach(member -> member.sender().flush());
    }

    @Override
    public Optional<Explanation> explain(Storage storage) {
        Life target = life;
        target.lead().requireRunning();
        return target.lead().waits().look(() -> asking(target, () -> ledger.explain(storage.handle())));
    }

    @Override
    public Optional<Explanation> explain(RemoteProgram program) {
        throw new OutpostException(
                FaultKind.USER,
                "explain: a group of machines plans each run of a program for itself; explain a tensor that it computes");
    }

    @Override
    public byte[] ask(SourceQuestion question) {
        Incarnation target = life.lead();
        // Whether it understands the question is known from then on.
        target.awaitReady();
        return target.waits()
                .look(() ->
                        target.sender().asking(() -> target.replies().sources().ask(question, target.delivery())));
    }

    @Override
    public CompletableFuture<byte[]> save(
            String uri,
            SequencedMap<String, StoredOperand> tensors,
            SequencedMap<String, byte[]> files,
            long shardBytes,
            String stem) {
        Life target = life;
        target.awaitReady();
        awaitRoom(target);
        return asking(target, () -> ledger.save(uri, tensors, files, shardBytes, stem));
    }

    @Override
    public void drain() {
        Life target = life;
        ledger.endAllSegments();
        flush(target);
        target.members().forEach(Incarnation::drain);
    }

    @Override
    public BlockingWaits waits() {
        return life.lead().waits();
    }

    @Override
    public long nextUpdate() {
        return lastUpdate.incrementAndGet();
    }

    @Override
    public Updates updates() {
        return life.lead().updates();
    }

    @Override
    public long takeDraw() {
        return random.take(1);
    }

    // ---- the group

    @Override
    public MachineStats stats() {
        Incarnation lead = life.lead();
        return ledger.stats(lead.waits().count(), lead.traffic(), lead.provisioning());
    }

    @Override
    public long heldValues() {
        return ledger.heldValues();
    }

    @Override
    public boolean isLost() {
        return life.members().stream().anyMatch(Incarnation::isLost);
    }

    @Override
    public boolean isLostAsAgreed() {
        return life.members().stream().anyMatch(Incarnation::isLostAsAgreed);
    }

    @Override
    public MachineLostException loss(String remedy) {
        Incarnation lost =
                life.members().stream().filter(Incarnation::isLost).findFirst().orElse(life.lead());
        return lost.loss(remedy);
    }

    /** Of the first member. */
    @Override
    public Provisioning provisioning() {
        return life.lead().provisioning();
    }

    @Override
    public void awaitReady() {
        life.awaitReady();
    }

    @Override
    public String device() {
        String device = life.lead().device();
        return device == null ? null : size() + " × " + device;
    }

    @Override
    public void close() {
        Life closing = life;
        closing.isClosing().set(true);
        boolean isLossTold = closing.members().stream().anyMatch(Incarnation::isHeard);
        OutpostException first = null;
        for (Incarnation member : closing.members()) {
            try {
                member.close();
            } catch (OutpostException unseen) {
                boolean isTold = unseen instanceof RemoteException failed ? isTold(closing, failed) : isLossTold;
                first = isTold ? first : joined(first, unseen);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** A fault of one member comes to the program by another one that needed what it took. */
    private static boolean isTold(Life group, RemoteException failed) {
        return hasTold(group, failed)
                && Arrays.stream(failed.getSuppressed())
                        .allMatch(each -> each instanceof RemoteException other && hasTold(group, other));
    }

    private static boolean hasTold(Life group, RemoteException failed) {
        return group.lead().replies().failures().hasTold(failed.fault().getMessage());
    }

    private static OutpostException joined(OutpostException first, OutpostException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
