package dev.outpost.client.session;

import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.ProgramCalled;
import dev.outpost.client.program.ProgramCalls;
import dev.outpost.client.program.ProgramRecorder;
import dev.outpost.client.program.ProgramRun;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.program.TraceStart;
import dev.outpost.client.record.MemoryAccount;
import dev.outpost.client.record.RecordingState;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.client.record.StoredOperand;
import dev.outpost.client.record.ValueEpoch;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.client.waits.BlockingWaits;
import dev.outpost.client.waits.PendingUpdates;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.ClientState;
import dev.outpost.protocol.message.SourceQuestion;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.source.LoadProgress;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.TensorType;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A recorder for one machine or for a group of machines, with their start and end. It has one recording state, and a session for each life
 * of the machines.
 */
public abstract class MachineRecorder implements Recorder {
    /** The loads of a paused machine. */
    private static final LoadProgress NO_LOADS = new LoadProgress(0, 0, 0, 0);

    protected final String name;
    protected final SessionSettings settings;
    protected final RecordingState recording;
    protected final ProgramCalls calls;
    protected final QueryRecorder queries;
    private final RandomStream random;
    private final BooleanSupplier isScoped;
    private final AtomicLong lastUpdate = new AtomicLong();

    /**
     * @param name the name in logs and errors
     * @param random the stream that random tensors draw from
     * @param isScoped returns true if a scope frees the tensors of the calling thread, so that they never wait for the collector
     */
    protected MachineRecorder(String name, SessionSettings settings, RandomStream random, BooleanSupplier isScoped) {
        this.name = name;
        this.settings = settings;
        this.random = random;
        this.isScoped = isScoped;
        this.recording = new RecordingState(this, settings.traces());
        this.calls = new ProgramCalls(recording);
        this.queries = new QueryRecorder(recording);
    }

    /** Returns the current session. */
    protected abstract RecorderSession session();

    /** Starts another machine in place of a lost one. The values of the lost machine are lost. Called by one thread at a time. */
    public abstract void restart();

    /** Releases the machine. Throws failures that the program has not seen: faults on the machine, or the reason why it never started. */
    public abstract void close();

    /**
     * Records for a new session from now on.
     *
     * @param lead the session of the machine that answers questions
     * @param account counts the bytes of the values that the machines compute
     */
    protected final void begin(MachineSession lead, SessionDelivery delivery, MemoryAccount account) {
        recording.guarded(() -> {
            recording.begin(new ValueEpoch(recording, lead, delivery, account, isScoped));
            calls.begin(delivery);
            queries.begin(lead, delivery);
            return null;
        });
    }

    /** Records for another session of the machine that has the same values. Called with the recording's lock held. */
    protected final void move(MachineSession lead, SessionDelivery delivery) {
        recording.epoch().moveTo(lead, delivery);
        calls.begin(delivery);
        queries.begin(lead, delivery);
    }

    /** Returns the part of the state that the client keeps. */
    protected ClientState.Builder clientState() {
        RandomStream.Position position = random.sharedPosition();
        return ClientState.newBuilder()
                .setLastValue(recording.guarded(recording::latestId))
                .setLastUpdate(lastUpdate.get())
                .setRandomSeed(position.seed())
                .setRandomDraws(position.draws());
    }

    /** Continues at the position of another client. */
    protected final void continueFrom(ClientState position) {
        recording.continueAfter(position.getLastValue());
        lastUpdate.set(position.getLastUpdate());
        random.restart(new RandomStream.Position(position.getRandomSeed(), position.getRandomDraws()));
    }

    /** Returns the session of the machine. A paused machine is resumed first, and a pause that is under way is awaited. */
    private RecorderSession active() {
        recording.awaitMachine();
        return session();
    }

    /** Asks a question about values. Asks again if the machine was paused meanwhile. */
    private <T> CompletableFuture<T> asking(Supplier<CompletableFuture<T>> question, Object... used) {
        CompletableFuture<T> answer = null;
        while (answer == null) {
            answer = active().asking(question, used);
        }
        return answer;
    }

    private MachineSession running() {
        MachineSession lead = session().lead();
        lead.requireRunning();
        return lead;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Recorder current() {
        ProgramRecorder tracing = ProgramRecorder.ofThread();
        if (tracing == null) {
            return this;
        }
        tracing.requireHome(this);
        return tracing;
    }

    // ---- instructions

    @Override
    public final <T> void record(
            Op op, Object[] operands, TensorType[] types, Function<RemoteValue, T> holder, T[] holders) {
        active().awaitRoom();
        recording.record(op, operands, types, holder, holders);
        runIfEager();
    }

    /** Runs what was recorded, and waits for it, so that a failure is thrown by the call that caused it. */
    private void runIfEager() {
        if (settings.eager()) {
            drain();
        }
    }

    /** Like {@link #runIfEager()}. Releases the value, which the caller does not get, if this fails. */
    protected final void runIfEager(RemoteValue value) {
        try {
            runIfEager();
        } catch (RuntimeException | Error failure) {
            value.abandon();
            throw failure;
        }
    }

    @Override
    public final void recordInto(Storage target, Op op, Object[] operands, TensorType type) {
        active().awaitRoom();
        recording.recordInto(target.handle(), op, operands, type);
        runIfEager();
    }

    @Override
    public final RemoteValue load(Load load) {
        RemoteValue value = null;
        while (value == null) {
            RecorderSession target = active();
            target.awaitRoom();
            value = recording.record(load, load.type(), target.lead());
        }
        runIfEager(value);
        return value;
    }

    @Override
    public final void endSegment() {
        recording.endSegment();
    }

    // ---- storages

    @Override
    public final RemoteValue value(Storage storage) {
        return storage.handle().held();
    }

    @Override
    public final ValueHandle share(Object owner, Storage source) {
        return recording.share(owner, source.handle());
    }

    @Override
    public final void rebind(Storage target, Storage source) {
        recording.rebind(target.handle(), source.handle());
    }

    // ---- programs

    @Override
    public final ProgramRecorder trace(TraceStart begin) {
        running();
        return calls.trace(this, begin);
    }

    @Override
    public final ProgramCalled run(ProgramRun run) {
        active().awaitRoom();
        ProgramCalled called = calls.run(run, null);
        runIfEager();
        return called;
    }

    @Override
    public final RemoteScan scan(TensorType[] emitted, long max) {
        return active().lead().scan(emitted, max);
    }

    // ---- reading

    @Override
    public final CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, boolean isPeek) {
        RecorderSession target = active();
        target.lead().requireRunning();
        if (!operand.isWhole()) {
            target.awaitRoom();
        }
        target.lead().awaitAnswers();
        return asking(() -> queries.fetch(operand, sink, isPeek), operand);
    }

    @Override
    public final CompletableFuture<byte[]> readBefore(StoredOperand operand) {
        running();
        return queries.readBefore(operand);
    }

    @Override
    public final byte[] shownBefore(StoredOperand operand) {
        running();
        return queries.shownBefore(operand);
    }

    @Override
    public final void keepShown(StoredOperand operand, byte[] elements) {
        queries.keepShown(operand, elements);
    }

    @Override
    public final Optional<Explanation> explain(Storage storage) {
        RecorderSession target = active();
        target.lead().requireRunning();
        ValueHandle handle = storage.handle();
        return target.lead().waits().awaitLatest(() -> asking(() -> queries.explain(handle), handle));
    }

    @Override
    public final byte[] ask(SourceQuestion question) {
        MachineSession lead;
        CompletableFuture<byte[]> answer;
        do {
            if (recording.isSuspended() && question.hasProgress()) {
                return NO_LOADS.encode();
            }
            if (recording.isSuspended() && question.hasCancel()) {
                return new byte[0];
            }
            lead = active().lead();
            // The client knows only for a ready machine whether it supports the question.
            lead.awaitReady();
            answer = lead.ask(question);
        } while (answer == null);
        CompletableFuture<byte[]> asked = answer;
        return lead.waits().awaitLatest(() -> asked);
    }

    @Override
    public final CompletableFuture<byte[]> save(
            String uri,
            SequencedMap<String, StoredOperand> tensors,
            SequencedMap<String, byte[]> files,
            long shardBytes,
            String stem) {
        RecorderSession target = active();
        target.awaitReady();
        target.awaitRoom();
        return asking(
                () -> queries.save(uri, tensors, files, shardBytes, stem),
                tensors.values().toArray());
    }

    @Override
    public final void drain() {
        RecorderSession target = session();
        recording.endAllSegments();
        target.drain();
    }

    @Override
    public final BlockingWaits waits() {
        return session().lead().waits();
    }

    @Override
    public final long nextUpdate() {
        return lastUpdate.incrementAndGet();
    }

    @Override
    public final PendingUpdates updates() {
        return session().lead().updates();
    }

    @Override
    public final long takeDraw() {
        return random.take(1);
    }

    // ---- the machine

    /** Returns the counters so far; does not wait. */
    public final MachineStats stats() {
        return session().stats();
    }

    /** Returns the number of values that the program has not released yet: 0 if all tensors are closed. */
    public final long heldValues() {
        return recording.heldValues();
    }

    /**
     * Returns true if the machine computes nothing more, for any reason: the machine is lost, or its session has
     * ended in another way.
     */
    public final boolean isOver() {
        return session().isOver();
    }

    /** Returns true if the machine is paused, or is being paused or resumed. */
    public final boolean isPaused() {
        return recording.isSuspended();
    }

    /** Returns true if the machine, and all values on it, are gone. */
    public final boolean isLost() {
        return session().isLost();
    }

    /** Returns true if the machine was released because it was idle for the agreed time. Then another machine can replace it. */
    public final boolean isLostAsAgreed() {
        return session().isLostAsAgreed();
    }

    /** Returns the exception for every caller that still needs a lost machine. */
    public final MachineLostException loss(String remedy) {
        return session().loss(remedy);
    }

    /**
     * Returns the bytes that this client's values may take on the machine; {@code Long.MAX_VALUE} until the machine has sent the number.
     */
    public final long quotaBytes() {
        return session().quotaBytes();
    }

    /**
     * Returns the time that the machine took to start, or has taken so far. For a group, this is the time of the
     * first member.
     */
    public final Provisioning provisioning() {
        return session().lead().provisioning();
    }

    /** Waits until the machine is ready. */
    public final void awaitReady() {
        active().awaitReady();
    }

    /** Returns the device that the machine computes on, or null before the machine is ready. */
    public final String device() {
        return session().device();
    }
}
