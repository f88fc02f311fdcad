package dev.outpost.client.session;

import dev.outpost.channel.DebugLog;
import dev.outpost.channel.frame.NegotiatedProtocol;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.client.failures.Failures;
import dev.outpost.client.failures.InternalErrorReporter;
import dev.outpost.client.failures.SessionTermination;
import dev.outpost.client.link.Outbox;
import dev.outpost.client.link.Sender;
import dev.outpost.client.link.SessionTicker;
import dev.outpost.client.profile.SessionProfile;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.record.MemoryAccount;
import dev.outpost.client.record.RecordingState;
import dev.outpost.client.record.RemoteMemory;
import dev.outpost.client.record.ValueHost;
import dev.outpost.client.start.StartProgress;
import dev.outpost.client.start.StartSpec;
import dev.outpost.client.start.StartView;
import dev.outpost.client.start.Startup;
import dev.outpost.client.stats.Traffic;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.client.transfer.UploadTask;
import dev.outpost.client.waits.BlockingWaits;
import dev.outpost.client.waits.FinalMessageWait;
import dev.outpost.client.waits.InFlightLimiter;
import dev.outpost.client.waits.PendingUpdates;
import dev.outpost.client.waits.ReadLimit;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.log.InstructionLog;
import dev.outpost.protocol.message.DeleteStates;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Feature;
import dev.outpost.protocol.message.Keep;
import dev.outpost.protocol.message.Own;
import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.message.RestoreState;
import dev.outpost.protocol.message.SaveState;
import dev.outpost.protocol.message.SourceQuestion;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;
import dev.outpost.types.FaultCode;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A machine from its start to its end or loss: the lease, the connections, the messages in flight, and the pending
 * answers. Recorded values belong to the {@link RecordingState}.
 */
public final class MachineSession implements RecorderSession, SessionChannel.Events, ValueHost {
    private static final Logger LOG = LoggerFactory.getLogger(MachineSession.class);
    /** The number of times per lease that the ticker checks the lanes. */
    private static final int TICKS_OF_A_LEASE = 16;

    /** The longest wait of {@link #awaitStart} for the provider to hand out the machine. */
    private static final Duration HAND_OVER = Duration.ofMillis(300);

    private final String name;
    private final SessionSettings settings;
    private final RecordingState recording;
    /** Null if nothing is profiled. */
    private final SessionProfile profile;
    /** Null if nothing is logged. */
    private final InstructionLog log;

    private final SessionTermination termination;
    private final ReadLimit limit;
    private final InFlightLimiter limiter;
    private final SessionTicker ticker = new SessionTicker(this::tick);
    private final Outbox outbox = new Outbox(ticker::stir);
    private final PendingReplies replies;
    private final RemoteMemory memory;
    private final Delivery delivery;
    private final SessionChannel sessionChannel;
    private final Sender sender;
    private final BlockingWaits blockingWaits;
    private final Backpressure backpressure;
    private final SessionScans scans;
    private final PendingUpdates updates;
    private final Startup startup;
    private final InternalErrorReporter internalErrorReporter = new InternalErrorReporter();
    private final AtomicLong lastUpload = new AtomicLong();
    private volatile Consumer<OutpostException> onEnd = reason -> {};
    /** Null if the program does nothing when the machine announces its end. */
    private volatile Runnable beforeEnd;
    /** Null if the session is no member of a group. */
    private volatile Membership membership;

    private final SessionFeatures features;
    private volatile boolean closing;

    /**
     * @param account counts the bytes of the values that the machine computes
     * @param paused the session of a paused machine, whose values and programs this session will have
     */
    public MachineSession(
            String name,
            SessionSettings settings,
            StartSpec start,
            RecordingState recording,
            MemoryAccount account,
            Optional<MachineSession> paused) {
        this.name = name;
        this.settings = settings;
        this.recording = recording;
        this.profile = start.profile().get();
        this.log = InstructionLog.open(
                "OUTPOST_INSTRUCTION_LOG",
                System.getProperty("outpost.instruction.log", System.getenv("OUTPOST_INSTRUCTION_LOG")),
                name,
                DebugLog.sessionEvents());
        this.termination = new SessionTermination(name);
        this.features = new SessionFeatures(name, this::fail);
        this.limit = new ReadLimit(settings.readLimit(), System::nanoTime);
        ticker.atLeastEvery(limit.checkNanos());
        this.limiter = new InFlightLimiter(settings, limit);
        this.replies = new PendingReplies(
                new PendingFetches(limiter::changed, limit),
                paused.map(before -> before.replies.failures()).orElseGet(Failures::new));
        this.memory = new RemoteMemory(
                name, settings, account, recording::collect, recording::endAllSegments, replies.scans()::release);
        this.delivery = new Delivery(
                outbox,
                limiter,
                memory,
                replies.scans(),
                profile,
                log,
                new StructureWatch(name, SourceLine::ofCaller, LOG::warn));
        paused.ifPresent(before -> delivery.continueFrom(before.delivery));
        MessageDispatcher dispatcher = new MessageDispatcher(
                name,
                recording,
                memory,
                limiter,
                limit,
                replies,
                this::reportIfGroupBroken,
                profile,
                log,
                ticker::stir,
                () -> beforeEnd.run());
        this.sessionChannel = new SessionChannel(name, settings, dispatcher, this, this::isFarewellSaid, profile);
        this.sender = new Sender(outbox, sessionChannel.control(), limiter, this::failToSend);
        this.blockingWaits = new BlockingWaits(
                name, termination, limiter, replies.scans()::release, replies.fetches()::failLate, limit, profile, log);
        this.backpressure = new Backpressure(
                termination, limiter, outbox, memory, sessionChannel::quotaBytes, replies, sender, blockingWaits);
        this.scans = new SessionScans(termination, backpressure, replies.fetches(), outbox, blockingWaits);
        this.updates = new PendingUpdates(
                name,
                limiter,
                replies.scans()::isAnyOpen,
                sender::flush,
                blockingWaits,
                replies.failures(),
                termination);
        StartProgress progress =
                new StartProgress(StartView.debugged(name, start.view().get()), System::nanoTime);
        this.startup = new Startup(name, start.source(), progress, sessionChannel::connect, this::fail);
    }

    /**
     * Sets what the program does when the machine announces that it will end. Call this before {@link #begin}.
     *
     * @param action must not block
     */
    void beforeEnd(Runnable action) {
        beforeEnd = action;
    }

    /** Asks for the machine. Call it after the ledger has begun to record for this session. */
    public void begin() {
        if (profile != null) {
            // The question is sent first, so that the machine's events begin with the first segment.
            outbox.add(profile.question(), true);
        }
        if (beforeEnd != null) {
            outbox.add(ToRuntime.Request.noticeEnd(), true);
        }
        Thread.ofVirtual().name("outpost-sender-" + name).start(sender::run);
        Thread.ofVirtual().name("outpost-ticker-" + name).start(this::runTicker);
        startup.begin();
    }

    /**
     * The group that this session is a member of.
     *
     * @param group the group's name on the machines
     * @param onBroken called if exchanges of the group fail because a member is missing; must not block
     */
    private record Membership(String group, Consumer<String> onBroken) {
        boolean isBrokenBy(Fault fault) {
            return FaultMessages.code(fault) == FaultCode.GROUP_BROKEN;
        }
    }

    /**
     * Makes the session a member of a group. A machine that cannot be a member ends the session. Call this before {@link #begin}.
     *
     * @param group the group's name on the machines
     * @param onBroken called if exchanges of the group fail because a member is missing; must not block
     */
    public void becomeMember(String group, Consumer<String> onBroken) {
        membership = new Membership(group, onBroken);
        features.require(Feature.GROUPS, "cannot be a member of a group");
    }

    /**
     * Reports a fault that means that the group is broken, and returns true; returns false for other faults. Waiting
     * threads then get the reason for the end of the group.
     */
    private boolean reportIfGroupBroken(Fault fault) {
        Membership in = membership;
        if (in == null || !in.isBrokenBy(fault)) {
            return false;
        }
        in.onBroken().accept(fault.getMessage());
        return true;
    }

    /** @param listener called once with the reason when the session is over, for any cause; must not block */
    public void whenOver(Consumer<OutpostException> listener) {
        onEnd = listener;
    }

    // ---- its parts

    @Override
    public SessionSettings settings() {
        return settings;
    }

    @Override
    public SessionProfile profile() {
        return profile;
    }

    @Override
    public RemoteMemory memory() {
        return memory;
    }

    @Override
    public MachineSession lead() {
        return this;
    }

    public Delivery delivery() {
        return delivery;
    }

    public PendingReplies replies() {
        return replies;
    }

    public Sender sender() {
        return sender;
    }

    public BlockingWaits waits() {
        return blockingWaits;
    }

    public PendingUpdates updates() {
        return updates;
    }

    // ---- waiting for the machine

    @Override
    public void awaitRoom() {
        backpressure.awaitRoom();
    }

    /** Waits while too many answers are pending. */
    public void awaitAnswers() {
        backpressure.awaitAnswers();
    }

    @Override
    public void drain() {
        backpressure.drain();
    }

    @Override
    public <T> CompletableFuture<T> asking(Supplier<CompletableFuture<T>> question, Object... used) {
        return sender.asking(question);
    }

    // ---- states

    /** Fails if the machine cannot save and restore states. */
    public void requireSavedStates() {
        termination.requireRunning();
        if (!features.has(Feature.SAVED_STATES)) {
            throw features.lacking("cannot be paused or resumed");
        }
    }

    /** Returns true if the machine has answered that it can save and restore states. */
    boolean hasSavedStates() {
        return features.has(Feature.SAVED_STATES);
    }

    /**
     * Asks the machine to save its state, which has everything that was sent before. Scans that were sent before run to their end first; if
     * the program waits for the answer, it lets them run by {@link #waits}.
     *
     * @return completes with the number of written bytes
     */
    CompletableFuture<Long> saveState(SaveState.Builder state) {
        return replies.sources().save(state, delivery).thenApply(answer -> {
            ByteReader in = new ByteReader(answer);
            long bytes = in.varint();
            in.expectEnd("the answer about a saved state");
            return bytes;
        });
    }

    /** Fails if the machine cannot keep values for another process. */
    void requireKeptValues() {
        termination.requireRunning();
        if (!features.has(Feature.KEPT_VALUES)) {
            throw features.lacking("cannot be passed on to another process");
        }
    }

    /** Returns true if the machine has done everything that was sent to it. */
    boolean isSettled() {
        return features.isKnown()
                && !isOver()
                && limiter.progress().segments() == limiter.sealed()
                && !replies.scans().isAnyOpen();
    }

    /** Makes the session belong to an owner. Returns a {@link dev.outpost.protocol.message.KeptSession}. */
    CompletableFuture<byte[]> own(Own.Builder own) {
        startup.leaveAtExit();
        return replies.sources().own(own, delivery);
    }

    /** Sends the values that have names, unless the machine cannot keep them. */
    void keep(Keep names) {
        if (features.has(Feature.KEPT_VALUES) && !isOver()) {
            delivery.keep(names);
        }
    }

    /** Returns true if the machine has answered. Before that it is not known whether it can keep values. */
    boolean isReady() {
        return features.isKnown();
    }

    /** Ends the session on this side alone. The machine keeps it for another process. */
    void handOver(OutpostException reason) {
        closing = true;
        startup.handOver();
        end(reason, true);
        release();
    }

    @Override
    public void takenOver(OutpostException reason) {
        // This comes first: a program that knows the end closes the machine, which is no longer its own.
        startup.handOver();
        over(reason, false);
    }

    /** Asks the machine to delete states. A failure is only logged, because it leaves files and loses nothing. */
    CompletableFuture<Void> deleteStates(DeleteStates.Builder states) {
        return replies.sources().delete(states, delivery).handle((answer, failure) -> {
            if (failure != null) {
                LOG.info(
                        "{}: old states stay in {}: {}", name, states.getPlace().getUri(), failure.getMessage());
            }
            return null;
        });
    }

    /** Asks the machine to restore a state. */
    CompletableFuture<byte[]> restoreState(RestoreState.Builder state) {
        return replies.sources().restore(state, delivery);
    }

    /** Handles the machine's answer that it has restored a state. */
    void restored(byte[] answer) {
        ByteReader in = new ByteReader(answer);
        String engine = in.string();
        String device = in.string();
        String nextEngine = in.string();
        in.expectEnd("the answer about a state");
        if (!device.equals(device()) || !engine.equals(nextEngine)) {
            LOG.warn(
                    "{}: the state was computed by {} on {}, and continues by {} on {};"
                            + " results may differ in the last bits",
                    name,
                    engine,
                    device,
                    nextEngine,
                    device());
        }
    }

    /** Waits until all questions are answered, so that a pause loses no answer. */
    void awaitAnswersToAll() {
        blockingWaits.await(replies.fetches().answersToAll());
        blockingWaits.await(replies.sources().answersToAll());
    }

    /** Records that the state is saved, so a loss of the machine loses nothing from now on. */
    void saved() {
        termination.saved();
    }

    /** Ends the session and releases the machine, whose state was saved. */
    void pause() {
        closing = true;
        List<Fault> unseen = sayGoodbye();
        unseen.forEach(replies.failures()::failed);
        OutpostException reason = new OutpostException(FaultKind.USER, name + ": the machine is paused");
        if (termination.pause(reason)) {
            clean(reason);
        }
        startup.cancel();
        release();
    }

    /** Ends a session that could not restore the state of a paused machine. Reports nothing: the paused session keeps the failures. */
    void abandon(OutpostException reason) {
        closing = true;
        end(reason, true);
        startup.cancel();
        release();
    }

    /** Throws the failures that the program has not received, at the end of a paused machine. */
    void reportFailures() {
        termination.report(replies.failures().reportAll());
    }

    @Override
    public boolean isPaused() {
        return termination.isPaused();
    }

    // ---- uploads, scans and groups

    /** Asks about the group that the session is a member of. Returns null if the machine is paused. */
    public CompletableFuture<byte[]> askPeers(PeerQuestion question) {
        return askingUnlessPaused(() -> replies.peers().ask(question, delivery));
    }

    /** Asks about sources. Returns null if the machine is paused. */
    CompletableFuture<byte[]> ask(SourceQuestion question) {
        return askingUnlessPaused(() -> replies.sources().ask(question, delivery));
    }

    private CompletableFuture<byte[]> askingUnlessPaused(Supplier<CompletableFuture<byte[]>> question) {
        return sender.asking(
                () -> recording.guarded(() -> recording.isSuspended() || isPaused() ? null : question.get()));
    }

    long nextUpload() {
        return lastUpload.incrementAndGet();
    }

    /** Begins to send the elements of a recorded upload. */
    public void upload(long upload, TensorType type, ElementSource elements) {
        ticker.stir();
        try {
            new UploadTask(sessionChannel.bulk(), limit, upload, type, elements).run();
        } catch (OutpostException failure) {
            termination.requireRunning();
            throw failure;
        }
    }

    /** Lets this session run a scan that has not begun, in place of a session whose machine was paused. */
    void adopt(RemoteScan scan) {
        scans.adopt(scan);
    }

    /** Makes a scan of at most {@code max} runs; each run emits values of these types. */
    public RemoteScan scan(TensorType[] emitted, long max) {
        return scans.scan(emitted, max);
    }

    // ---- life

    public void requireRunning() {
        termination.requireRunning();
    }

    @Override
    public boolean isOver() {
        return termination.isOver();
    }

    /** Returns true if the program has received the reason why the session is over. */
    public boolean isHeard() {
        return termination.isHeard();
    }

    /** Returns true if the machine, and all values on it, are gone. */
    @Override
    public boolean isLost() {
        return termination.isLost();
    }

    /** Returns true if the machine was released because it was idle for the agreed time. Then another machine can replace it. */
    @Override
    public boolean isLostAsAgreed() {
        return termination.isAsAgreed();
    }

    /** Returns the exception for every caller that still needs a lost machine. */
    @Override
    public MachineLostException loss(String remedy) {
        return termination.loss(remedy);
    }

    /** Returns the exception for every use of a value of a lost machine. */
    @Override
    public OutpostException loss() {
        return termination.rethrown(termination.reason());
    }

    public Provisioning provisioning() {
        return startup.provisioning();
    }

    @Override
    public void awaitReady() {
        flushLog();
        startup.await();
        termination.requireRunning();
    }

    @Override
    public String device() {
        return sessionChannel.device();
    }

    @Override
    public long quotaBytes() {
        return sessionChannel.quotaBytes();
    }

    /**
     * Returns the counters so far. Reads the traffic before it takes the lock of recording, because a lane calls back under its own lock.
     */
    @Override
    public MachineStats stats() {
        long waits = blockingWaits.count();
        Traffic traffic = traffic();
        Provisioning provisioning = provisioning();
        return recording.guarded(() -> delivery.stats(waits, traffic, provisioning));
    }

    public Traffic traffic() {
        return sessionChannel.traffic();
    }

    @Override
    public void disconnected(String reason) {
        if (log != null) {
            log.life("Disconnect", reason);
        }
    }

    @Override
    public void refused(OutpostException reason) {
        if (log != null) {
            log.life("Refusal", reason.getMessage());
        }
        over(reason, false);
    }

    /** Called before any recorded segment is sent. */
    @Override
    public void ready(Welcome welcome, NegotiatedProtocol negotiatedProtocol) {
        if (log != null) {
            log.life(
                    features.isKnown() ? "Reconnect" : "Connect",
                    welcome.getDevice() + ", protocol " + ProtocolVersions.name(negotiatedProtocol.version()));
        }
        if (!features.begin(negotiatedProtocol)) {
            return;
        }
        recording.quota(memory, welcome.getQuotaBytes());
        replies.endUnsupported(features);
        if (profile != null && !features.has(Feature.TRACE)) {
            LOG.warn(
                    "{}; the profile shows the program alone",
                    features.lacking("does not tell what it does").getMessage());
            profile.expectNothing();
        }
        limit.machineIsThere();
        ticker.atLeastEvery(TimeUnit.MILLISECONDS.toNanos(welcome.getLeaseMillis()) / TICKS_OF_A_LEASE);
        startup.ready();
    }

    /**
     * Requires that the machine can exchange rounded sums within the group. If it cannot, the session ends, now or as soon as the machine
     * has answered.
     */
    public void roundSums() {
        features.require(Feature.ROUNDED_SUMS, "cannot take sums that travel rounded");
    }

    /**
     * Requires that the machine can create parts of random tensors. If it cannot, the session ends, now or as soon as the machine has
     * answered.
     */
    public void drawParts() {
        features.require(Feature.RANDOM_PARTS, "cannot make parts of random tensors");
    }

    /** Returns true if the machine is ready and passes segments on to other members of its group. */
    public boolean passesSegments() {
        return features.has(Feature.PASSED_SEGMENTS);
    }

    // ---- its end

    /** Ends the session. Throws failures that the program has not seen: faults on the machine, or the reason why it never started. */
    public void close() {
        close(true);
    }

    /** Like {@link #close}, but does not wait until the machine has finished its work. */
    public void closeAtOnce() {
        close(false);
    }

    public boolean hasAnswered() {
        return startup.hasAnswered();
    }

    private void close(boolean waits) {
        if (closing) {
            return;
        }
        closing = true;
        if (waits) {
            awaitStart();
        }
        OutpostException reason = termination.reason();
        List<Fault> unseen = waits && reason == null && startup.hasAnswered() ? sayGoodbye() : List.of();
        // The session must end before a machine that is still starting is cancelled; otherwise the cancellation would
        // count as a failed start.
        end(new OutpostException(FaultKind.USER, name + ": the machine is closed"), false);
        startup.cancel();
        release();
        unseen.forEach(replies.failures()::failed);
        termination.report(reason, replies.failures().reportAll());
    }

    /**
     * Waits for a machine that is starting, if work was recorded for it: the work must run to show whether it fails.
     *
     * @return false if the machine did not answer in time
     */
    public boolean awaitStart() {
        if (!recording.hasRecorded()) {
            return true;
        }
        flushLog();
        try {
            Duration handOver = HAND_OVER.compareTo(settings.closeTimeout()) < 0 ? HAND_OVER : settings.closeTimeout();
            return startup.await(handOver, settings.closeTimeout());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private boolean isFarewellSaid() {
        return closing && replies.farewell().isDone();
    }

    private List<Fault> sayGoodbye() {
        recording.endAllSegments();
        flushLog();
        // Nothing can ask for further results of the scans.
        replies.scans().cancel();
        try {
            if (profile != null) {
                profile.finish(settings.closeTimeout().toMillis());
            }
            sender.asking(() -> outbox.add(ToRuntime.Request.goodbye(), true));
            return new FinalMessageWait(
                            settings.closeTimeout(),
                            () -> sessionChannel.traffic().bytesIn(),
                            sessionChannel::isAwaitingAcknowledgement,
                            System::nanoTime)
                    .await(replies.farewell());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (TimeoutException timeout) {
            LOG.warn("{} {} after it was closed; what it still had to do is lost", name, timeout.getMessage());
            return List.of();
        } catch (ExecutionException ignored) {
            return List.of();
        } finally {
            sessionChannel.control().tick();
        }
    }

    private void fail(OutpostException reason) {
        over(reason, false);
    }

    /** Ends the session: all pending and later requests fail with the reason. */
    @Override
    public void over(OutpostException reason, boolean asAgreed) {
        end(reason, asAgreed);
        // Runs on another thread, because the machine's end of the connection may wait for this thread.
        Thread.ofVirtual().name("outpost-release-" + name).start(this::release);
    }

    private void end(OutpostException reason, boolean asAgreed) {
        if (termination.begin(reason, asAgreed)) {
            clean(reason);
        }
    }

    private void clean(OutpostException reason) {
        if (log != null) {
            log.life(termination.isLost() ? "Loss" : "End", reason.getMessage());
        }
        sessionChannel.end(reason);
        outbox.discard();
        replies.end(reason);
        startup.over();
        limiter.changed();
        onEnd.accept(reason);
    }

    /** Flushes the log, so that it shows the last recorded instruction even if the wait hangs. */
    private void flushLog() {
        if (log != null) {
            log.flush();
        }
    }

    /** Logs that another session replaces this session. */
    public void restarts(String how) {
        if (log != null) {
            log.life("Restart", how);
        }
    }

    private void release() {
        sessionChannel.close();
        startup.release();
        if (log != null) {
            log.close();
        }
    }

    // ---- its threads

    /**
     * Ends the session if the sender lost a payload before it reached the lane. The messages then have a gap, so no later one can be sent.
     */
    private void failToSend(Throwable defect) {
        LOG.error("{}: the thread that sends failed", name, defect);
        fail(new OutpostException(FaultKind.INTERNAL, name + ": the thread that sends failed: " + defect, defect));
    }

    private void runTicker() {
        try {
            ticker.run(this::isOver);
        } catch (OutpostException failure) {
            fail(failure);
        }
    }

    private boolean tick() {
        internalErrorReporter.runReporting("the ticker", this::tickOnce);
        return sessionChannel.isAwaitingAcknowledgement();
    }

    private void tickOnce() {
        recording.collect();
        flushLog();
        outbox.tick();
        ToRuntime.Request question = profile == null ? null : profile.question();
        if (question != null) {
            outbox.add(question, true);
        }
        sessionChannel.tick();
        replies.fetches().expire();
    }
}
