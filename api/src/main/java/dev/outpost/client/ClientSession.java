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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program's session on one machine: records instructions, names their results, and sees to it that segments, uploads
 * and fetches are delivered. Recording begins at once; the machine may come later.
 *
 * <p>Invariants: one lock guards everything that recording touches, and nothing blocks while holding it. The order of
 * messages in the outbox is the order of execution; a value's producer is in it before any consumer and before its free.
 */
public final class ClientSession implements Recorder {
    private static final Logger LOG = LoggerFactory.getLogger(ClientSession.class);
    private static final int LANE_WINDOW_BYTES = 16 << 20;
    private static final long TICK_MILLIS = 5;

    private final String name;
    private final SessionSettings settings;
    private final RandomStream random;
    private final InstructionLog log;
    private final ReentrantLock lock = new ReentrantLock();
    private final Recording recording;
    private final Outbox outbox = new Outbox();
    private final Fetches fetches;
    private final Failures failures = new Failures();
    private final Defects defects = new Defects();
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
    private final Updates updates;
    private volatile boolean closing;
    private volatile Link link;
    private volatile Frame.Welcome welcome;
    private long lastUpload;

    /**
     * Begins a session.
     *
     * @param name what logs and errors call the machine
     * @param random what random tensors draw from
     * @param source supplies the machine; asked on a thread of its own
     * @param view shows how it comes
     * @param profile notes what the session does; null for none
     * @param isScoped whether what this thread makes is let go of by a scope, and so never waits for the collector
     */
    public ClientSession(
            String name,
            SessionSettings settings,
            RandomStream random,
            MachineSource source,
            StartView view,
            SessionProfile profile,
            BooleanSupplier isScoped) {
        this.profile = profile;
        this.name = name;
        this.settings = settings;
        this.random = random;
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
        this.updates = new Updates(name, gate, recording.scans(), sender, waits, failures, ending);
        this.startup = new Startup(name, source, new StartProgress(view, System::nanoTime), this::connect, this::fail);
        if (profile != null) {
            // Before all else, so that the machine's notes begin with the first segment.
            outbox.add(profile.question(), true);
        }
        Thread.ofVirtual().name("outpost-sender-" + name).start(this::send);
        Thread.ofVirtual().name("outpost-ticker-" + name).start(this::tick);
        startup.begin();
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

    // ---- recording

    @Override
    public <T> void record(Op op, Object[] operands, TensorType[] types, Function<RemoteValue, T> holder, T[] holders) {
        awaitRoom();
        recording.record(op, operands, types, holder, holders);
    }

    private RemoteValue record(Op op, TensorType type) {
        awaitRoom();
        return recording.record(op, new Object[0], new TensorType[] {type})[0];
    }

    @Override
    public RemoteValue upload(TensorType type, ElementSource elements) {
        if (type.bytes() <= Literal.MAX_BYTES) {
            byte[] all = new byte[(int) type.bytes()];
            elements.read(0, all, 0, all.length);
            return record(new Literal(type, all), type);
        }
        long upload = nextUpload();
        RemoteValue value = record(new Upload(type, upload), type);
        try {
            new UploadTask(lanes[1], upload, type, elements).run();
            return value;
        } catch (OutpostException failed) {
            value.abandon();
            ending.requireRunning();
            throw failed;
        }
    }

    @Override
    public void endSegment() {
        recording.endSegment();
    }

    Recording recording() {
        return recording;
    }

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

    private long nextUpload() {
        lock.lock();
        try {
            return ++lastUpload;
        } finally {
            lock.unlock();
        }
    }

    // ---- programs

    @Override
    public ProgramRecorder trace(TraceStart start) {
        ending.requireRunning();
        return new ProgramRecorder(this, settings.traces(), start);
    }

    @Override
    public ProgramCalled run(ProgramRun run) {
        awaitRoom();
        return recording.run(run, null);
    }

    @Override
    public ProgramCalled run(ProgramRun run, RemoteScan scan) {
        awaitRoom();
        fetches.open(scan);
        return recording.run(run, scan);
    }

    @Override
    public RemoteScan scan(TensorType[] emitted, long most) {
        ending.requireRunning();
        return new RemoteScan(this, fetches.reserve(Math.multiplyExact(most, (long) emitted.length)), emitted, most);
    }

    @Override
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

    // ---- reading

    @Override
    public CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink) {
        ending.requireRunning();
        if (!operand.isWhole()) {
            awaitRoom();
        }
        awaitAnswers();
        return sender.asking(() -> recording.fetch(operand, sink, fetches));
    }

    @Override
    public Optional<Explanation> explain(Storage storage) {
        ending.requireRunning();
        return waits.look(() -> sender.asking(() -> recording.explain(storage.handle(), explanations)));
    }

    @Override
    public Optional<Explanation> explain(RemoteProgram program) {
        ending.requireRunning();
        return waits.look(() -> sender.asking(() -> recording.explain(program, explanations)));
    }

    @Override
    public Waits waits() {
        return waits;
    }

    @Override
    public Updates updates() {
        return updates;
    }

    @Override
    public long takeDraw() {
        return random.take(1);
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

    @Override
    public void drain() {
        recording.endAllSegments();
        recording.scans().release();
        sender.flush();
        waits.during("synchronize", () -> gate.awaitIdle(this::isOver));
        ending.requireRunning();
        ending.report(failures.tellAll());
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
