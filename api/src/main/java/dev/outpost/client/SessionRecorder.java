package dev.outpost.client;

import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.start.StartSpec;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.client.transfer.ElementSource;
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

/**
 * Records for one machine, whose incarnations follow each other. Recording begins at once; the machine may come later.
 * Thread-safe.
 */
public final class SessionRecorder implements MachineRecorder {
    private final String name;
    private final SessionSettings settings;
    private final RandomStream random;
    private final StartSpec start;
    private final BooleanSupplier isScoped;
    private final RecordingState ledger;
    private final AtomicLong lastUpdate = new AtomicLong();
    private volatile MachineSession machine;

    /**
     * Begins, and asks for the machine.
     *
     * @param name what logs and errors call the machine
     * @param random what random tensors draw from
     * @param start how the machine is started
     * @param isScoped whether what this thread makes is let go of by a scope, and so never waits for the collector
     */
    public SessionRecorder(
            String name, SessionSettings settings, RandomStream random, StartSpec start, BooleanSupplier isScoped) {
        this.name = name;
        this.settings = settings;
        this.random = random;
        this.start = start;
        this.isScoped = isScoped;
        this.ledger = new RecordingState(name, this, settings.traces());
        restart();
    }

    @Override
    public void restart() {
        MemoryAccount account = new MemoryAccount();
        MachineSession before = machine;
        MachineSession next = new MachineSession(name, settings, start, ledger, account);
        if (before != null) {
            next.restarts("in place of a machine that is lost");
        }
        ledger.begin(new ValueEpoch(ledger, next, account, isScoped));
        machine = next;
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
        machine.awaitRoom();
        ledger.record(op, operands, types, holder, holders);
    }

    @Override
    public void recordInto(Storage target, Op op, Object[] operands, TensorType type) {
        machine.awaitRoom();
        ledger.recordInto(target.handle(), op, operands, type);
    }

    @Override
    public RemoteValue upload(TensorType type, ElementSource elements) {
        MachineSession target = machine;
        target.awaitRoom();
        if (type.bytes() <= Literal.MAX_BYTES) {
            byte[] all = new byte[(int) type.bytes()];
            elements.read(0, all, 0, all.length);
            return ledger.record(new Literal(type, all), type, target);
        }
        long upload = target.nextUpload();
        RemoteValue value = ledger.record(new Upload(type, upload), type, target);
        try {
            target.upload(upload, type, elements);
            return value;
        } catch (OutpostException failed) {
            value.abandon();
            throw failed;
        }
    }

    @Override
    public RemoteValue load(Load load) {
        MachineSession target = machine;
        target.awaitRoom();
        return ledger.record(load, load.type(), target);
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
        machine.requireRunning();
        return ledger.trace(begin);
    }

    @Override
    public ProgramCalled run(ProgramRun run) {
        machine.awaitRoom();
        return ledger.run(run, null);
    }

    @Override
    public ProgramCalled run(ProgramRun run, RemoteScan scan) {
        MachineSession target = scan.machine();
        target.awaitRoom();
        target.replies().fetches().open(scan);
        return ledger.run(run, scan);
    }

    @Override
    public RemoteScan scan(TensorType[] emitted, long most) {
        return machine.scan(emitted, most);
    }

    @Override
    public void drop(RemoteProgram program) {
        if (!machine.isOver()) {
            ledger.drop(program);
        }
    }

    // ---- reading

    @Override
    public CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, boolean isPeek) {
        MachineSession target = machine;
        target.requireRunning();
        if (!operand.isWhole()) {
            target.awaitRoom();
        }
        target.awaitAnswers();
        return target.sender().asking(() -> ledger.fetch(operand, sink, isPeek));
    }

    @Override
    public CompletableFuture<byte[]> readBefore(StoredOperand operand) {
        machine.requireRunning();
        return ledger.readBefore(operand);
    }

    @Override
    public byte[] shownBefore(StoredOperand operand) {
        machine.requireRunning();
        return ledger.shownBefore(operand);
    }

    @Override
    public void keepShown(StoredOperand operand, byte[] elements) {
        ledger.keepShown(operand, elements);
    }

    @Override
    public Optional<Explanation> explain(Storage storage) {
        MachineSession target = machine;
        target.requireRunning();
        return target.waits().look(() -> target.sender().asking(() -> ledger.explain(storage.handle())));
    }

    @Override
    public Optional<Explanation> explain(RemoteProgram program) {
        MachineSession target = machine;
        target.requireRunning();
        return target.waits().look(() -> target.sender().asking(() -> ledger.explain(program)));
    }

    @Override
    public byte[] ask(SourceQuestion question) {
        MachineSession target = machine;
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
        MachineSession target = machine;
        target.awaitReady();
        target.awaitRoom();
        return target.sender().asking(() -> ledger.save(uri, tensors, files, shardBytes, stem));
    }

    @Override
    public void drain() {
        ledger.endAllSegments();
        machine.drain();
    }

    @Override
    public BlockingWaits waits() {
        return machine.waits();
    }

    @Override
    public long nextUpdate() {
        return lastUpdate.incrementAndGet();
    }

    @Override
    public PendingUpdates updates() {
        return machine.updates();
    }

    @Override
    public long takeDraw() {
        return random.take(1);
    }

    // ---- the machine

    /** Asks about the machines that this one exchanges values with; waits until it is there, and not for its answer. */
    public CompletableFuture<byte[]> askPeers(PeerQuestion question) {
        MachineSession target = machine;
        target.awaitReady();
        return target.askPeers(question);
    }

    @Override
    public MachineStats stats() {
        MachineSession latest = machine;
        return ledger.stats(latest.waits().count(), latest.traffic(), latest.provisioning());
    }

    @Override
    public long quotaBytes() {
        return machine.quotaBytes();
    }

    @Override
    public long heldValues() {
        return ledger.heldValues();
    }

    @Override
    public boolean isOver() {
        return machine.isOver();
    }

    @Override
    public boolean isLost() {
        return machine.isLost();
    }

    @Override
    public boolean isLostAsAgreed() {
        return machine.isLostAsAgreed();
    }

    @Override
    public MachineLostException loss(String remedy) {
        return machine.loss(remedy);
    }

    @Override
    public Provisioning provisioning() {
        return machine.provisioning();
    }

    @Override
    public void awaitReady() {
        machine.awaitReady();
    }

    @Override
    public String device() {
        return machine.device();
    }

    @Override
    public void close() {
        machine.close();
    }
}
