package dev.outpost.client;

import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.client.profile.SessionProfile;
import dev.outpost.protocol.explain.Explanation;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.MachineLostException;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Upload;
import dev.outpost.protocol.types.TensorType;
import dev.outpost.provider.Lease;
import dev.outpost.provider.Loss;
import dev.outpost.transport.Transports;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program's session on one machine: records instructions, names their results, and sees to it that segments, uploads
 * and fetches are delivered. Recording begins at once; the machine may come later.
 *
 * <p>Invariants: one lock guards everything that recording touches, and nothing blocks while holding it. The order of
 * messages in the outbox is the order of execution; a value's producer is in it before any consumer and before its free.
 */
public final class ClientSession {
    private static final Logger LOG = LoggerFactory.getLogger(ClientSession.class);
    private static final int LANE_WINDOW_BYTES = 16 << 20;
    private static final long TICK_MILLIS = 5;

    private final String name;
    private final Object owner;
    private final SessionSettings settings;
    private final InstructionLog log;
    private final ReentrantLock lock = new ReentrantLock();
    private final Recording recording;
    private final Outbox outbox = new Outbox();
    private final Fetches fetches;
    private final Failures failures = new Failures();
    private final AtomicLong updates = new AtomicLong();
    private final Defects defects = new Defects();
    private final StepWaits stepWaits = new StepWaits();
    private final Explanations explanations = new Explanations();
    private final Gate gate;
    /** Null where nobody profiles. */
    private final SessionProfile profile;

    private final ReliableLane[] lanes;
    private final Sender sender;
    private final Startup startup;
    private final CompletableFuture<List<Fault>> farewell = new CompletableFuture<>();
    private final Ending ending;
    private final Waits waits;
    private volatile boolean closing;
    private volatile Link link;
    private volatile Frame.Welcome welcome;
    private long lastUpload;

    /**
     * Begins a session.
     *
     * @param name what logs and errors call the machine
     * @param owner the machine that users see
     * @param source supplies the machine; asked on a thread of its own
     * @param view shows how it comes
     * @param profile notes what the session does; null for none
     * @param isScoped whether what this thread makes is let go of by a scope, and so never waits for the collector
     */
    public ClientSession(
            String name,
            SessionSettings settings,
            Object owner,
            MachineSource source,
            StartView view,
            SessionProfile profile,
            BooleanSupplier isScoped) {
        this.profile = profile;
        this.name = name;
        this.owner = owner;
        this.settings = settings;
        this.log = InstructionLog.ofEnvironment(name);
        this.ending = new Ending(name);
        this.gate = new Gate(settings);
        this.fetches = new Fetches(gate::changed, settings.readLimit(), System::nanoTime);
        this.recording = new Recording(this, lock, settings, outbox, gate, log, profile, isScoped);
        this.waits = new Waits(name, ending, gate, recording.scans(), profile);
        Answers answers = new Answers(name, recording, gate, fetches, failures, explanations, farewell, profile, log);
        this.lanes = new ReliableLane[] {
            new ReliableLane(0, LANE_WINDOW_BYTES, answers::deliverControl, System::nanoTime),
            new ReliableLane(1, LANE_WINDOW_BYTES, answers::deliverBulk, System::nanoTime)
        };
        this.sender = new Sender(outbox, lanes[0], gate);
        this.startup = new Startup(name, source, new StartProgress(view, System::nanoTime), this::connect, this::fail);
        if (profile != null) {
            // Before all else, so that the machine's notes begin with the first segment.
            outbox.add(profile.question(), true);
        }
        Thread.ofVirtual().name("outpost-sender-" + name).start(this::send);
        Thread.ofVirtual().name("outpost-ticker-" + name).start(this::tick);
        startup.begin();
    }

    public String name() {
        return name;
    }

    /** The machine that users see. */
    public Object owner() {
        return owner;
    }

    // ---- recording

    /**
     * Records one instruction; never waits for the machine, but for room when too much is under way.
     *
     * @param operands scalars, values of this session and {@link StoredOperand}s of it; the array is written over
     * @param types the results' types
     * @return the results, each to be {@linkplain #adopt adopted} or {@linkplain #abandon abandoned} once
     */
    public RemoteValue[] record(Op op, Object[] operands, TensorType[] types) {
        awaitRoom();
        return recording.record(op, operands, types);
    }

    /**
     * As {@link #record(Op, Object[], TensorType[])}, with what is to hold the results made in the same breath: to
     * {@link #adopt} one there takes the session's lock no second time.
     *
     * @param holder makes of a result what adopts it
     * @param holders where those go, as many as there are types
     */
    public <T> void record(Op op, Object[] operands, TensorType[] types, Function<RemoteValue, T> holder, T[] holders) {
        awaitRoom();
        recording.record(op, operands, types, holder, holders);
    }

    /** Makes a value of the elements that the source gives; they have been read when this returns. At most 2 GiB. */
    public RemoteValue upload(TensorType type, ElementSource elements) {
        if (type.bytes() <= Literal.MAX_BYTES) {
            byte[] all = new byte[(int) type.bytes()];
            elements.read(0, all, 0, all.length);
            return record(new Literal(type, all), new Object[0], new TensorType[] {type})[0];
        }
        long upload = nextUpload();
        RemoteValue value = record(new Upload(type, upload), new Object[0], new TensorType[] {type})[0];
        try {
            new UploadTask(lanes[1], upload, type, elements).run();
            return value;
        } catch (OutpostException failed) {
            abandon(value);
            ending.requireRunning();
            throw failed;
        }
    }

    /** Lets {@code owner} hold a value that was just recorded, until the handle is closed or the owner collected. */
    public ValueHandle adopt(Object owner, RemoteValue fresh) {
        return recording.adopt(owner, fresh);
    }

    /** As {@link #adopt}, for a value that something else holds as well. */
    public ValueHandle hold(Object owner, RemoteValue value) {
        return recording.hold(owner, value);
    }

    /** As {@link #hold}, for what a handle holds at that moment. */
    public ValueHandle share(Object owner, ValueHandle source) {
        return recording.share(owner, source);
    }

    /** Drops a value that was just recorded. */
    public void abandon(RemoteValue value) {
        recording.abandon(value);
    }

    /** Ends this thread's segment, if it has one. */
    public void endSegment() {
        recording.endSegment();
    }

    void rebind(ValueHandle handle, RemoteValue value) {
        recording.rebind(handle, value);
    }

    void rebind(ValueHandle handle, ValueHandle source) {
        recording.rebind(handle, source);
    }

    void close(ValueHandle handle, boolean byProgram) {
        recording.close(handle, byProgram);
    }

    private void awaitRoom() {
        ending.requireRunning();
        if (gate.isCrowded(outbox.bytes())) {
            recording.scans().release();
            sender.flush();
            waits.during("wait for room", () -> gate.await(outbox::bytes, this::isOver));
            ending.requireRunning();
        }
        if (recording.memory().isAboveMark(quotaBytes())) {
            sender.flush();
            waits.during("wait for memory", () -> recording.memory().relieve(quotaBytes(), gate, this::isOver));
        }
    }

    private void awaitAnswers() {
        if (fetches.isCrowded()) {
            recording.scans().release();
            waits.during("wait for answers", () -> gate.awaitRoom(fetches::isCrowded, this::isOver));
            ending.requireRunning();
        }
    }

    /** Does what takes the session's lock again and again, and blocks nowhere, while it is held once: that is quicker. */
    public void together(Runnable many) {
        lock.lock();
        try {
            many.run();
        } finally {
            lock.unlock();
        }
    }

    private long nextUpload() {
        lock.lock();
        try {
            return ++lastUpload;
        } finally {
            lock.unlock();
        }
    }

    // ---- programs

    /** Begins to record a program. */
    public ProgramRecorder recorder() {
        ending.requireRunning();
        return new ProgramRecorder(this, settings.traces());
    }

    /** Has the machine run a program. */
    public ProgramCalled run(ProgramRun run) {
        awaitRoom();
        return recording.run(run, null);
    }

    /** As {@link #run(ProgramRun)}, for a scan that was {@linkplain #scan made} for it. */
    public ProgramCalled run(ProgramRun run, RemoteScan scan) {
        awaitRoom();
        fetches.open(scan);
        return recording.run(run, scan);
    }

    /** A scan that emits values of these types in each of at most so many runs. */
    public RemoteScan scan(TensorType[] emitted, long most) {
        ending.requireRunning();
        return new RemoteScan(this, fetches.reserve(Math.multiplyExact(most, (long) emitted.length)), emitted, most);
    }

    /** The machine need not keep a program any more. */
    public void drop(RemoteProgram program) {
        if (!isOver()) {
            recording.drop(program);
        }
    }

    void grant(RemoteScan scan, long iterations) {
        if (scan.number() != 0) {
            outbox.add(new Message.GrantEmissions(scan.number(), iterations), true);
        }
    }

    void cancel(RemoteScan scan) {
        if (!isOver() && scan.number() != 0) {
            outbox.add(new Message.CancelScan(scan.number()), true);
        }
    }

    // ---- looking

    /**
     * Asks for the elements of the value that a handle holds now, row-major and little-endian. Ends this thread's segment; does not wait, but for answers where
     * a thousand are awaited already.
     */
    public CompletableFuture<byte[]> fetch(ValueHandle handle) {
        BytesSink sink = new BytesSink(Math.toIntExact(handle.held().type().bytes()));
        return fetch(handle, sink).thenApply(whole -> sink.bytes());
    }

    /** As {@link #fetch(ValueHandle)}; the elements are handed to the sink as they come, by one thread at a time. */
    public CompletableFuture<Void> fetch(ValueHandle handle, ElementSink sink) {
        ending.requireRunning();
        awaitAnswers();
        return sender.asking(() -> recording.fetch(handle, sink, fetches));
    }

    /**
     * Asks how a value was, or will be, computed; nothing where the machine does not remember. Ends this thread's segment
     * as a fetch does, and waits.
     */
    public Optional<Explanation> explain(ValueHandle handle) {
        ending.requireRunning();
        return look(() -> sender.asking(() -> recording.explain(handle, explanations)));
    }

    /**
     * Asks how the latest run of a program was computed; nothing where the machine does not keep it any more. Ends this
     * thread's segment as a call does, and waits.
     */
    public Optional<Explanation> explain(RemoteProgram program) {
        ending.requireRunning();
        return look(() -> sender.asking(() -> recording.explain(program, explanations)));
    }

    /** Asks and waits: as {@link #await} of what the question answers. */
    public <T> T look(Supplier<CompletableFuture<T>> question) {
        return waits.look(question);
    }

    /** Waits for a fetch; a failure on the machine is thrown here. */
    public <T> T await(CompletableFuture<T> fetch) {
        return waits.await(fetch);
    }

    /** As {@link #await}, for what a scan emits: it waits for nothing that comes behind the scan. */
    public <T> T join(CompletableFuture<T> fetch) {
        return waits.join(fetch);
    }

    public MachineStats stats() {
        Link connected = link;
        long bytesIn = connected == null ? 0 : connected.bytesIn();
        Traffic traffic = Traffic.of(lanes, bytesIn);
        lock.lock();
        try {
            return recording.stats(gate.progress(), waits.count(), traffic, provisioning());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until all that was recorded so far by all threads has been executed; throws the failures that the program has not
     * been told of.
     */
    public void drain() {
        recording.endAllSegments();
        recording.scans().release();
        sender.flush();
        waits.during("synchronize", () -> gate.awaitIdle(this::isOver));
        ending.requireRunning();
        ending.report(failures.tellAll());
    }

    // ---- updates

    /** A number for an update that happens whole or not at all, by which it is asked for. */
    public long nextUpdate() {
        return updates.incrementAndGet();
    }

    /** How many segments have been sealed, calls of programs among them. */
    public long sealedSegments() {
        return gate.sealed();
    }

    /**
     * Waits until that many segments have been executed, unless the machine is so far away that this would hold up the program,
     * or a scan is under way.
     */
    public void awaitStep(long segments) {
        if (gate.progress().segments() >= segments || recording.scans().isAnyOpen() || isOver()) {
            return;
        }
        if (stepWaits.isNear()) {
            sender.flush();
            long begin = System.nanoTime();
            long engineNanos = gate.progress().engineNanos();
            waits.during("earlier step", () -> gate.awaitSegments(segments, this::isOver));
            stepWaits.waited(System.nanoTime() - begin, gate.progress().engineNanos() - engineNanos);
        }
    }

    /** How many runs of an update the machine has left out since this was asked last, as far as it has said; does not wait. */
    public long takeLeftOut(long update) {
        return failures.takeLeftOut(update);
    }

    /** Throws why runs of an update were left out, as far as the machine has said and the program has not been told. */
    public void reportLeftOut(long update) {
        List<Fault> reasons = failures.tellReasons(update);
        if (!reasons.isEmpty()) {
            throw FaultText.ofUpdate(reasons.getFirst(), name, reasons.size());
        }
    }

    /** Ids of values that the client has not given up yet: 0 when all tensors are closed. */
    public long heldValues() {
        return recording.heldValues();
    }

    // ---- life

    /** Whether the machine, and all values on it, are gone. */
    public boolean isLost() {
        return ending.isLost();
    }

    /** Whether it was lost because nobody used it for as long as had been agreed: then another is as good. */
    public boolean isLostAsAgreed() {
        return ending.isAsAgreed();
    }

    /** What whoever still wants something of a lost machine is told. */
    public MachineLostException loss(String remedy) {
        return ending.loss(remedy);
    }

    boolean isOver() {
        return ending.isOver();
    }

    /** How long the machine took to come, or has taken so far. */
    public Provisioning provisioning() {
        return startup.provisioning();
    }

    /** Waits until the machine is there. */
    public void awaitReady() {
        startup.await();
        ending.requireRunning();
    }

    /** What the machine computes on, or null before it is there. */
    public String device() {
        Frame.Welcome said = welcome;
        return said == null ? null : said.device();
    }

    /** Ends the session; throws what nobody looked at: faults on the machine, or why it never came. */
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        OutpostException reason = ending.reason();
        List<Fault> unseen = reason == null && startup.hasAnswered() ? sayGoodbye() : List.of();
        // Before giving up on a machine that is still starting, which looks like a failed start.
        end(new OutpostException(FaultKind.USER, name + ": the machine is closed"), false);
        startup.cancel();
        release();
        unseen.forEach(failures::failed);
        ending.report(reason, failures.tellAll());
    }

    private List<Fault> sayGoodbye() {
        recording.endAllSegments();
        // What they would still compute nobody could ask for.
        recording.scans().cancel();
        try {
            if (profile != null) {
                profile.finish(settings.closeTimeout().toMillis());
            }
            outbox.add(new Message.Goodbye(), true);
            return farewell.get(settings.closeTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (TimeoutException slow) {
            LOG.warn(
                    "{} did not finish within {} after it was closed; what it still had to do is lost",
                    name,
                    settings.closeTimeout());
            return List.of();
        } catch (ExecutionException over) {
            return List.of();
        } finally {
            lanes[0].tick();
        }
    }

    private void release() {
        Link open = link;
        if (open != null) {
            open.close();
        }
        startup.release();
        if (log != null) {
            log.close();
        }
    }

    // ---- threads of the session

    private void connect(Lease lease) {
        FrameConnector connector = Transports.connector(lease.endpoint(), settings.connectTimeout());
        Duration patience = lease.isWatched() ? settings.lossPatience() : Duration.ZERO;
        LinkWatch watch = new LinkWatch(name, patience, new Life());
        lease.lost().subscribe().with(this::lose, ignored -> {});
        link = new Link(connector, UUID.randomUUID(), lanes, settings.connectTimeout(), watch, profile);
        link.connect();
    }

    private void tick() {
        try {
            while (!isOver()) {
                Thread.sleep(TICK_MILLIS);
                defects.survive("the ticker", this::tickOnce);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (OutpostException broken) {
            fail(broken);
        }
    }

    private void tickOnce() {
        recording.collect();
        outbox.tick();
        askForTrace();
        for (ReliableLane lane : lanes) {
            lane.tick();
        }
        if (welcome != null) {
            fetches.expire();
        }
    }

    /** A payload that was taken and did not get to the lane is a gap in the order of the program: the session cannot go on. */
    private void send() {
        try {
            sender.run();
        } catch (RuntimeException | Error defect) {
            LOG.error("{}: the thread that sends failed", name, defect);
            fail(new OutpostException(FaultKind.INTERNAL, name + ": the thread that sends failed: " + defect, defect));
        }
    }

    private void askForTrace() {
        Message.Trace question = profile == null ? null : profile.question();
        if (question != null) {
            outbox.add(question, true);
        }
    }

    private void lose(Loss loss) {
        fail(LinkWatch.lost(name, loss.reason()), loss.cause() == Loss.Cause.IDLE);
    }

    private void fail(OutpostException reason) {
        fail(reason, false);
    }

    /** The session is over: everything that waits, and all that comes, gets the reason. */
    private void fail(OutpostException reason, boolean asAgreed) {
        end(reason, asAgreed);
        // Not here: this may be the thread that the machine's end of the connection waits for.
        Thread.ofVirtual().name("outpost-release-" + name).start(this::release);
    }

    private void end(OutpostException reason, boolean asAgreed) {
        if (!ending.begin(reason, asAgreed)) {
            return;
        }
        Arrays.stream(lanes).forEach(lane -> lane.end(reason));
        outbox.discard();
        fetches.end(reason);
        explanations.end(reason);
        recording.scans().end(reason);
        farewell.completeExceptionally(reason);
        startup.over();
        gate.changed();
    }

    private long quotaBytes() {
        Frame.Welcome said = welcome;
        return said == null ? Long.MAX_VALUE : said.quotaBytes();
    }

    private final class Life implements LinkWatch.Life {
        @Override
        public void ready(Frame.Welcome said) {
            recording.quota(said.quotaBytes());
            fetches.progressed();
            welcome = said;
            startup.ready();
        }

        @Override
        public boolean isReady() {
            return welcome != null;
        }

        @Override
        public boolean isFarewellSaid() {
            return closing && farewell.isDone();
        }

        @Override
        public void fail(OutpostException reason) {
            ClientSession.this.fail(reason);
        }

        @Override
        public void lose(Loss loss) {
            ClientSession.this.lose(loss);
        }

        @Override
        public void hangUp() {
            link.close();
        }
    }
}
