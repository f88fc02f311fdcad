package dev.outpost.client.session;

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
import dev.outpost.client.record.RecordingState;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.client.record.StoredOperand;
import dev.outpost.client.record.ValueEpoch;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.client.start.StartSpec;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.client.waits.BlockingWaits;
import dev.outpost.client.waits.PendingUpdates;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.message.SourceQuestion;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Upload;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Records for one machine, whose sessions follow each other. Recording begins at once; the machine may be ready later. Thread-safe. */
public final class SessionRecorder implements MachineRecorder {
    private final String name;
    private final SessionSettings settings;
    private final RandomStream random;
    private final StartSpec start;
    private final BooleanSupplier isScoped;
    private final RecordingState recording;
    private final ProgramCalls calls;
    private final QueryRecorder queries;
    private final AtomicLong lastUpdate = new AtomicLong();
    private volatile MachineSession session;

    /**
     * Begins recording, and asks for the machine.
     *
     * @param name the machine's name in logs and errors
     * @param random the stream that random tensors draw from
     * @param start the start of the machine
     * @param isScoped returns true if a scope frees the tensors of the calling thread, so that they never wait for the collector
     */
    public SessionRecorder(
            String name, SessionSettings settings, RandomStream random, StartSpec start, BooleanSupplier isScoped) {
        this.name = name;
        this.settings = settings;
        this.random = random;
        this.start = start;
        this.isScoped = isScoped;
        this.recording = new RecordingState(this, settings.traces());
        this.calls = new ProgramCalls(recording);
        this.queries = new QueryRecorder(recording);
        restart();
    }

    @Override
    public void restart() {
        MemoryAccount account = new MemoryAccount();
        MachineSession before = session;
        MachineSession next = new MachineSession(name, settings, start, recording, account);
        if (before != null) {
            next.restarts("in place of a machine that is lost");
        }
        recording.guarded(() -> {
            recording.begin(new ValueEpoch(recording, next, next.delivery(), account, isScoped));
            calls.begin(next.delivery());
            queries.begin(next, next.delivery());
            return null;
        });
        session = next;
        next.begin();
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

    // ---- instructions

    @Override
    public <T> void record(Op op, Object[] operands, TensorType[] types, Function<RemoteValue, T> holder, T[] holders) {
        session.awaitRoom();
        recording.record(op, operands, types, holder, holders);
    }

    @Override
    public void recordInto(Storage target, Op op, Object[] operands, TensorType type) {
        session.awaitRoom();
        recording.recordInto(target.handle(), op, operands, type);
    }

    @Override
    public RemoteValue upload(TensorType type, ElementSource elements) {
        MachineSession machineSession = session;
        machineSession.awaitRoom();
        if (type.bytes() <= Literal.MAX_BYTES) {
            byte[] all = new byte[(int) type.bytes()];
            elements.read(0, all, 0, all.length);
            return recording.record(new Literal(type, all), type, machineSession);
        }
        long upload = machineSession.nextUpload();
        RemoteValue value = recording.record(new Upload(type, upload), type, machineSession);
        try {
            machineSession.upload(upload, type, elements);
            return value;
        } catch (OutpostException failure) {
            value.abandon();
            throw failure;
        }
    }

    @Override
    public RemoteValue load(Load load) {
        MachineSession machineSession = session;
        machineSession.awaitRoom();
        return recording.record(load, load.type(), machineSession);
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
        session.requireRunning();
        return calls.trace(this, begin);
    }

    @Override
    public ProgramCalled run(ProgramRun run) {
        session.awaitRoom();
        return calls.run(run, null);
    }

    @Override
    public ProgramCalled run(ProgramRun run, RemoteScan scan) {
        scan.begin();
        return calls.run(run, scan);
    }

    @Override
    public RemoteScan scan(TensorType[] emitted, long max) {
        return session.scan(emitted, max);
    }

    @Override
    public void drop(RemoteProgram program) {
        if (!session.isOver()) {
            calls.drop(program);
        }
    }

    // ---- reading

    @Override
    public CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, boolean isPeek) {
        MachineSession machineSession = session;
        machineSession.requireRunning();
        if (!operand.isWhole()) {
            machineSession.awaitRoom();
        }
        machineSession.awaitAnswers();
        return machineSession.sender().asking(() -> queries.fetch(operand, sink, isPeek));
    }

    @Override
    public CompletableFuture<byte[]> readBefore(StoredOperand operand) {
        session.requireRunning();
        return queries.readBefore(operand);
    }

    @Override
    public byte[] shownBefore(StoredOperand operand) {
        session.requireRunning();
        return queries.shownBefore(operand);
    }

    @Override
    public void keepShown(StoredOperand operand, byte[] elements) {
        queries.keepShown(operand, elements);
    }

    @Override
    public Optional<Explanation> explain(Storage storage) {
        MachineSession machineSession = session;
        machineSession.requireRunning();
        return machineSession
                .waits()
                .awaitLatest(() -> machineSession.sender().asking(() -> queries.explain(storage.handle())));
    }

    @Override
    public Optional<Explanation> explain(RemoteProgram program) {
        MachineSession machineSession = session;
        machineSession.requireRunning();
        return machineSession.waits().awaitLatest(() -> machineSession.sender().asking(() -> queries.explain(program)));
    }

    @Override
    public byte[] ask(SourceQuestion question) {
        MachineSession machineSession = session;
        // Only a ready machine has said whether it supports the question.
        machineSession.awaitReady();
        return machineSession
                .waits()
                .awaitLatest(() -> machineSession
                        .sender()
                        .asking(() -> machineSession.replies().sources().ask(question, machineSession.delivery())));
    }

    @Override
    public CompletableFuture<byte[]> save(
            String uri,
            SequencedMap<String, StoredOperand> tensors,
            SequencedMap<String, byte[]> files,
            long shardBytes,
            String stem) {
        MachineSession machineSession = session;
        machineSession.awaitReady();
        machineSession.awaitRoom();
        return machineSession.sender().asking(() -> queries.save(uri, tensors, files, shardBytes, stem));
    }

    @Override
    public void drain() {
        recording.endAllSegments();
        session.drain();
    }

    @Override
    public BlockingWaits waits() {
        return session.waits();
    }

    @Override
    public long nextUpdate() {
        return lastUpdate.incrementAndGet();
    }

    @Override
    public PendingUpdates updates() {
        return session.updates();
    }

    @Override
    public long takeDraw() {
        return random.take(1);
    }

    // ---- the machine

    /** Asks about the machines with which this one exchanges values. Waits until the machine is ready, but not for its answer. */
    public CompletableFuture<byte[]> askPeers(PeerQuestion question) {
        MachineSession machineSession = session;
        machineSession.awaitReady();
        return machineSession.askPeers(question);
    }

    @Override
    public MachineStats stats() {
        return session.stats();
    }

    @Override
    public long quotaBytes() {
        return session.quotaBytes();
    }

    @Override
    public long heldValues() {
        return recording.heldValues();
    }

    @Override
    public boolean isOver() {
        return session.isOver();
    }

    @Override
    public boolean isLost() {
        return session.isLost();
    }

    @Override
    public boolean isLostAsAgreed() {
        return session.isLostAsAgreed();
    }

    @Override
    public MachineLostException loss(String remedy) {
        return session.loss(remedy);
    }

    @Override
    public Provisioning provisioning() {
        return session.provisioning();
    }

    @Override
    public void awaitReady() {
        session.awaitReady();
    }

    @Override
    public String device() {
        return session.device();
    }

    @Override
    public void close() {
        session.close();
    }
}
