package dev.outpost.client.group;

import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.ProgramCalled;
import dev.outpost.client.program.ProgramCalls;
import dev.outpost.client.program.ProgramRecorder;
import dev.outpost.client.program.ProgramRun;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.program.TraceStart;
import dev.outpost.client.record.MemoryAccount;
import dev.outpost.client.record.OpenScans;
import dev.outpost.client.record.RecordingState;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.client.record.StoredOperand;
import dev.outpost.client.record.ValueEpoch;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.client.session.MachineRecorder;
import dev.outpost.client.session.MachineSession;
import dev.outpost.client.session.QueryRecorder;
import dev.outpost.client.sharding.RecordedSegment;
import dev.outpost.client.start.StartSpec;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.client.waits.BlockingWaits;
import dev.outpost.client.waits.PendingUpdates;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.SourceQuestion;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Upload;
import dev.outpost.protocol.op.WireFormat;
import dev.outpost.sharding.GroupExchange;
import dev.outpost.sharding.GroupStats;
import dev.outpost.sharding.Sharding;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Records for a group of machines. Each segment is recorded once and rewritten into one for each member. The group has one ledger, and a
 * session for each member; the loss of one member ends all of them. Thread-safe.
 */
public final class GroupRecorder implements MachineRecorder {
    /** The longest wait of a member for another one in an exchange. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final String name;
    private final SessionSettings settings;
    private final RandomStream random;
    private final List<StartSpec> starts;
    private final BooleanSupplier isScoped;
    private final Duration timeout;
    private final RecordingState recording;
    private final ProgramCalls calls;
    private final QueryRecorder queries;
    private final AtomicLong lastUpdate = new AtomicLong();
    private final GroupUploads uploads;

    private volatile GroupSession life;
    private volatile WireFormat sumFormat = WireFormat.EXACT;

    /**
     * Begins recording, and asks for the machines.
     *
     * @param name the group's name in logs and errors
     * @param random the stream that random tensors draw from
     * @param starts the start of each member, by rank
     * @param isScoped returns true if a scope frees the tensors of the calling thread, so that they never wait for the collector
     * @param timeout the longest wait of a member for another one in an exchange; empty for five minutes
     */
    public GroupRecorder(
            String name,
            SessionSettings settings,
            RandomStream random,
            List<StartSpec> starts,
            BooleanSupplier isScoped,
            Optional<Duration> timeout) {
        this.name = name;
        this.settings = settings;
        this.random = random;
        this.starts = List.copyOf(starts);
        this.isScoped = isScoped;
        this.timeout = timeout.orElse(TIMEOUT);
        this.recording = new RecordingState(this, settings.traces());
        this.calls = new ProgramCalls(recording);
        this.queries = new QueryRecorder(recording);
        this.uploads = new GroupUploads(starts.size());
        restart();
    }

    @Override
    public void restart() {
        MemoryAccount account = new MemoryAccount();
        List<MachineSession> members = new ArrayList<>();
        for (int rank = 0; rank < starts.size(); rank++) {
            MachineSession session =
                    new MachineSession(memberName(rank), settings, starts.get(rank), recording, account);
            if (life != null) {
                session.restarts("with its group, in place of machines that are lost");
            }
            if (rank > 0) {
                session.delivery().giveNoHints();
            }
            members.add(session);
        }
        GroupDelivery delivery = new GroupDelivery(
                members.stream().map(MachineSession::delivery).toList(),
                recording::nextId,
                () ->
                        // Runs on another thread, because this one holds the ledger's lock and a machine without the
                        // feature ends the group.
                        Thread.ofVirtual()
                                .name("outpost-group-" + name)
                                .start(() -> members.forEach(MachineSession::drawParts)));
        delivery.sumFormat(sumFormat);
        GroupSession next = new GroupSession(
                UUID.randomUUID().toString(), members, delivery, new CompletableFuture<>(), new AtomicBoolean());
        recording.guarded(() -> {
            recording.begin(new ValueEpoch(recording, next.lead(), delivery, account, isScoped));
            calls.begin(delivery);
            queries.begin(next.lead(), delivery);
            return null;
        });
        GroupTermination end = end(next);
        for (int rank = 0; rank < members.size(); rank++) {
            int lost = rank;
            members.get(rank).becomeMember(next.id(), end::onBroken);
            members.get(rank).whenOver(reason -> end.memberIsOver(lost, reason));
        }
        life = next;
        if (sumFormat != WireFormat.EXACT) {
            members.forEach(MachineSession::roundSums);
        }
        members.forEach(MachineSession::begin);
        join(next, end);
    }

    private void join(GroupSession group, GroupTermination end) {
        new GroupJoin(group, timeout).begin().whenComplete((backend, failure) -> {
            if (failure == null) {
                passSegments(group);
                group.joined().complete(backend);
            } else {
                end.onJoinFailed(failure);
            }
        });
    }

    private void passSegments(GroupSession group) {
        if (group.members().stream().allMatch(MachineSession::passesSegments)) {
            group.delivery().passSegments();
        }
    }

    private String memberName(int rank) {
        return name + "[" + rank + "]";
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

    /** Runs a body whose uploads on this thread get this placement. */
    public <T> T placing(Function<TensorType, Sharding> placement, Supplier<T> body) {
        return uploads.placing(placement, body);
    }

    /** Sets the format in which large sums travel from now on. Sums that were recorded before keep theirs. */
    public void sumFormat(WireFormat format) {
        recording.endAllSegments();
        recording.guarded(() -> {
            sumFormat = format;
            life.delivery().sumFormat(format);
            return null;
        });
        if (format != WireFormat.EXACT) {
            life.members().forEach(MachineSession::roundSums);
        }
    }

    @Override
    public Sharding sharding(Storage storage) {
        return recording.ofSealed(storage.handle(), life.delivery()::sharding);
    }

    /** Returns the latest recorded exchanges, at most 10,000. */
    public List<GroupExchange> exchanges() {
        return recording.guarded(() -> life.delivery().latestExchanges());
    }

    /** Returns a description of how the members exchange; empty before they are connected, or if there is nothing to say. */
    public String backend() {
        return life.backend();
    }

    /** Returns the counters of all recorded exchanges. */
    public GroupStats groupStats() {
        return recording.guarded(() -> life.delivery().groupStats());
    }

    /** Runs a body, and returns the segments of all threads that are sealed meanwhile. */
    public List<RecordedSegment> recording(Runnable body) {
        GroupDelivery delivery = life.delivery();
        recording.endAllSegments();
        recording.guarded(() -> {
            delivery.startRecording();
            return null;
        });
        try {
            body.run();
            recording.endAllSegments();
        } catch (RuntimeException failure) {
            recording.guarded(delivery::stopRecording);
            throw failure;
        }
        return recording.guarded(delivery::stopRecording);
    }

    public int size() {
        return starts.size();
    }

    // ---- instructions

    @Override
    public <T> void record(Op op, Object[] operands, TensorType[] types, Function<RemoteValue, T> holder, T[] holders) {
        life.awaitRoom();
        recording.record(op, operands, types, holder, holders);
    }

    @Override
    public void recordInto(Storage target, Op op, Object[] operands, TensorType type) {
        life.awaitRoom();
        recording.recordInto(target.handle(), op, operands, type);
    }

    @Override
    public RemoteValue upload(TensorType type, ElementSource elements) {
        GroupSession target = life;
        target.awaitRoom();
        Sharding sharding = uploads.placement(type);
        long upload = uploads.next();
        target.delivery().place(upload, sharding);
        RemoteValue value = recording.record(new Upload(type, upload), type, target.lead());
        try {
            GroupUploads.send(target, upload, type, sharding, elements);
            return value;
        } catch (OutpostException failure) {
            value.abandon();
            throw failure;
        }
    }

    @Override
    public RemoteValue load(Load load) {
        GroupSession target = life;
        target.awaitRoom();
        return recording.record(load, load.type(), target.lead());
    }

    @Override
    public void endSegment() {
        recording.endSegment();
    }

    // ---- storages

    @Override
    public RemoteValue value(Storage storage) {
        return storage.handle().held();
    }

    @Override
    public ValueHandle share(Object owner, Storage source) {
        return recording.share(owner, source.handle());
    }

    @Override
    public void rebind(Storage target, Storage source) {
        recording.rebind(target.handle(), source.handle());
    }

    // ---- programs

    @Override
    public ProgramRecorder trace(TraceStart begin) {
        life.lead().requireRunning();
        return calls.trace(this, begin);
    }

    @Override
    public ProgramCalled run(ProgramRun run) {
        life.awaitRoom();
        return calls.run(run, null);
    }

    /** The rest of the call sends the runs and returns after the last one. Between two runs it reads the condition that ends the scan. */
    @Override
    public ProgramCalled run(ProgramRun run, RemoteScan scan) {
        return new GroupScan(life, recording, calls, scan).run(run);
    }

    @Override
    public RemoteScan scan(TensorType[] emitted, long max) {
        return life.lead().scan(emitted, max);
    }

    @Override
    public void drop(RemoteProgram program) {
        // The members keep no programs.
    }

    // ---- reading

    @Override
    public CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, boolean isPeek) {
        GroupSession target = life;
        target.lead().requireRunning();
        if (!operand.isWhole()) {
            target.awaitRoom();
        }
        target.lead().awaitAnswers();
        return asking(target, () -> queries.fetch(operand, sink, isPeek), operand);
    }

    /**
     * Asks a question about values after no open scan computes them any more. The thread waits before it asks, because during the question
     * no other thread can send messages to the first member, and the scan could not continue.
     */
    private <T> CompletableFuture<T> asking(
            GroupSession target, Supplier<CompletableFuture<T>> question, Object... used) {
        OpenScans scans = recording.scans();
        CompletableFuture<T> answer = null;
        while (answer == null) {
            recording.guarded(() -> {
                scans.await(used);
                return null;
            });
            answer = target.asking(() -> recording.guarded(() -> scans.compute(used) ? null : question.get()));
        }
        return answer;
    }

    @Override
    public CompletableFuture<byte[]> readBefore(StoredOperand operand) {
        life.lead().requireRunning();
        return queries.readBefore(operand);
    }

    @Override
    public byte[] shownBefore(StoredOperand operand) {
        life.lead().requireRunning();
        return queries.shownBefore(operand);
    }

    @Override
    public void keepShown(StoredOperand operand, byte[] elements) {
        queries.keepShown(operand, elements);
    }

    @Override
    public Optional<Explanation> explain(Storage storage) {
        GroupSession target = life;
        target.lead().requireRunning();
        ValueHandle handle = storage.handle();
        return target.lead().waits().awaitLatest(() -> asking(target, () -> queries.explain(handle), handle));
    }

    @Override
    public Optional<Explanation> explain(RemoteProgram program) {
        throw new OutpostException(
                FaultKind.USER,
                "explain: a group of machines plans each run of a program for itself; explain a tensor that it"
                        + " computes");
    }

    @Override
    public byte[] ask(SourceQuestion question) {
        MachineSession session = life.lead();
        // Only a ready machine has said whether it supports the question.
        session.awaitReady();
        return session.waits()
                .awaitLatest(() -> session.sender()
                        .asking(() -> session.replies().sources().ask(question, session.delivery())));
    }

    @Override
    public CompletableFuture<byte[]> save(
            String uri,
            SequencedMap<String, StoredOperand> tensors,
            SequencedMap<String, byte[]> files,
            long shardBytes,
            String stem) {
        GroupSession target = life;
        target.awaitReady();
        target.awaitRoom();
        return asking(
                target,
                () -> queries.save(uri, tensors, files, shardBytes, stem),
                tensors.values().toArray());
    }

    @Override
    public void drain() {
        GroupSession target = life;
        recording.endAllSegments();
        target.flush();
        target.members().forEach(MachineSession::drain);
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
    public PendingUpdates updates() {
        return life.lead().updates();
    }

    @Override
    public long takeDraw() {
        return random.take(1);
    }

    // ---- the group

    @Override
    public MachineStats stats() {
        return life.members().stream()
                .map(MachineSession::stats)
                .reduce(SummedStats::of)
                .orElseThrow();
    }

    /** Returns the smallest quota of the members, because each member may hold the whole value. */
    @Override
    public long quotaBytes() {
        return life.members().stream()
                .mapToLong(MachineSession::quotaBytes)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    @Override
    public long heldValues() {
        return recording.heldValues();
    }

    @Override
    public boolean isOver() {
        return life.members().stream().anyMatch(MachineSession::isOver);
    }

    @Override
    public boolean isLost() {
        return life.members().stream().anyMatch(MachineSession::isLost);
    }

    @Override
    public boolean isLostAsAgreed() {
        return life.members().stream().anyMatch(MachineSession::isLostAsAgreed);
    }

    @Override
    public MachineLostException loss(String remedy) {
        MachineSession lost = life.members().stream()
                .filter(MachineSession::isLost)
                .findFirst()
                .orElse(life.lead());
        return lost.loss(remedy);
    }

    /** Returns the start of the first member. */
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
        end(life).close();
    }

    private GroupTermination end(GroupSession group) {
        return new GroupTermination(name, group, settings.lossTimeout(), settings.closeTimeout());
    }
}
