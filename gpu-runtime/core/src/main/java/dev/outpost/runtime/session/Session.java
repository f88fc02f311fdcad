package dev.outpost.runtime.session;

import com.google.protobuf.ByteString;
import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.Lanes;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.frame.NegotiatedProtocol;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.channel.rpc.MemberSnapshot;
import dev.outpost.channel.rpc.Snapshot;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.log.InstructionLog;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.Ending;
import dev.outpost.protocol.message.Farewell;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Feature;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.Protobuf;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.runtime.session.run.SessionContext;
import dev.outpost.runtime.session.stats.LaneTraffic;
import dev.outpost.runtime.session.stats.RuntimeLoad;
import dev.outpost.runtime.session.stats.SessionSnapshots;
import dev.outpost.runtime.session.stats.SessionState;
import dev.outpost.runtime.session.stats.SessionStats;
import dev.outpost.runtime.session.stats.WorkCounters;
import dev.outpost.runtime.session.upload.PendingUploadBytes;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One client's work on the machine. If its connection is lost, the session waits for one lease for another
 * connection. It ends when the client says goodbye, or when the runtime ends it with a reason.
 */
public final class Session {
    private static final Duration COMING_BACK = Duration.ofSeconds(1);
    /** The longest wait for the work that a session has received before another one takes its values over. */
    private static final Duration LAST_WORK = Duration.ofSeconds(60);

    private static final Duration LAST_KERNEL = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final End TAKEN_OVER = ConnectionMessages.end(
            FaultMessages.of(
                    FaultKind.USER, "another process has attached to the session and continues with its values"),
            End.Cause.TAKEN_OVER);

    private final RuntimeContext runtime;
    private final SessionOwners owners;
    private final GrantAccount grant;
    private final SessionContext context;
    private final WorkQueue queue;
    private final Lanes lanes;
    private final SessionWorker worker;
    private final SourceAnswers answers;
    private final PeerAnswers peerAnswers;
    /** The log of messages and instructions; null if nothing is logged. */
    private final InstructionLog log;

    private final long opened;

    private final ReentrantLock lock = new ReentrantLock();
    private RuntimeConnection connection;
    /** The session that took the values over; null if none did. */
    private volatile Session successor;

    private long disconnectedSince;
    private End endedBy;
    private long overSince;
    private volatile SessionState state = SessionState.OPEN;
    private volatile long lastHeard;
    /** True if the client saves the state before the machine ends. */
    private volatile boolean wantsNotice;

    private volatile boolean isEndAnnounced;
    private volatile boolean isLeaving;
    /**
     * The protocol version and features that were negotiated with the client; version 0 without features before the
     * first hello.
     */
    private volatile NegotiatedProtocol negotiated = new NegotiatedProtocol(0, Set.of());

    Session(long number, RuntimeContext runtime, SessionOwners owners, GrantAccount grant) {
        this.runtime = runtime;
        this.owners = owners;
        this.grant = grant;
        opened = runtime.now();
        disconnectedSince = opened;
        lastHeard = opened;
        context = SessionContext.of(number, runtime, grant);
        log = context.log();
        queue = new WorkQueue(
                runtime.limits(),
                runtime.sharedQuotas().queuedBytes().part(runtime.limits().queuedBytes()),
                runtime.limitCounters());
        lanes = new Lanes(Map.of(Lane.CONTROL, this::deliverControl, Lane.BULK, this::deliverBulk), runtime.clock());
        answers = new SourceAnswers(context, lanes.control());
        peerAnswers = new PeerAnswers(context, lanes.control());
        worker = new SessionWorker(this, context, lanes, queue, answers);
        context.peers().setStateSource(this::snapshot);
        worker.start();
    }

    /** Returns the session's number, which may be shown. Only the client knows its UUID. */
    long number() {
        return context.session();
    }

    /** Returns the grant that opened the session. Only a client with the same grant can resume it. */
    GrantAccount grant() {
        return grant;
    }

    NegotiatedProtocol agreed() {
        return negotiated;
    }

    boolean isOver() {
        return state != SessionState.OPEN;
    }

    /**
     * Returns true if no message has arrived yet. A client that never got its welcome may open such a session again.
     */
    boolean isUntouched() {
        return !isOver() && lanes.isUntouched();
    }

    /** Attaches a connection in place of an earlier one. Fails with the reason if the session has ended. */
    void attach(RuntimeConnection next, long[] receivedByClient, NegotiatedProtocol negotiatedProtocol) {
        lock.lock();
        try {
            if (endedBy != null) {
                throw new EndedException(endedBy);
            }
            RuntimeConnection previous = connection;
            detach();
            if (previous != null) {
                previous.close("a newer connection of the session took over");
            }
            onMessage();
            if (log != null) {
                log.life(
                        isUntouched() ? "Connect" : "Reconnect",
                        "protocol " + ProtocolVersions.name(negotiatedProtocol.version()));
            }
            negotiated = negotiatedProtocol;
            lanes.pack(negotiatedProtocol.has(Feature.PACKED_BULK));
            next.output().send(Lane.CONTROL, Frame.Connection.of(welcome()).encode());
            connection = next;
            lanes.attach(log == null ? next.output() : new LoggedOutput(next.output(), log), receivedByClient);
        } finally {
            lock.unlock();
        }
    }

    /** Detaches a connection that was closed. The client may connect again later. */
    void detach(RuntimeConnection gone) {
        lock.lock();
        try {
            if (connection == gone) {
                if (log != null) {
                    log.life("Disconnect", "the connection is gone");
                }
                detach();
            }
        } finally {
            lock.unlock();
        }
    }

    private void detach() {
        connection = null;
        disconnectedSince = runtime.now();
        lanes.detach();
    }

    private Welcome welcome() {
        RuntimeSettings settings = runtime.settings();
        long leaseMillis = settings.lease().toMillis();
        return ConnectionMessages.welcome(
                lanes.received(),
                leaseMillis,
                Math.min(settings.quotaBytes(), grant.memory().most()),
                runtime.engine().device(),
                negotiated);
    }

    void onData(Frame.Data frame, int frameBytes) {
        onMessage();
        lanes.count(frame.lane(), frameBytes);
        lanes.onData(frame);
    }

    void onPacked(Frame.Packed frame, int frameBytes) {
        onMessage();
        lanes.count(frame.lane(), frameBytes);
        lanes.onPacked(frame);
    }

    void onAck(Frame.Ack frame, int frameBytes) {
        onMessage();
        lanes.count(frame.lane(), frameBytes);
        lanes.onAck(frame);
    }

    private void onMessage() {
        long now = runtime.now();
        lastHeard = now;
        grant.onMessage(now);
        runtime.activity().onMessage(now);
    }

    private void used() {
        runtime.activity().used(runtime.now());
    }

    /** Returns the bytes of uploads that have arrived and that the engine has not copied yet. */
    PendingUploadBytes backlog() {
        return context.uploads().backlog();
    }

    void onBulkReady() {
        lanes.bulk().ready();
    }

    /**
     * Announces the end of the machine to a client that has asked for this.
     *
     * @return false if the client has not asked, or the session is over
     */
    boolean announceEnd(Duration within) {
        if (!wantsNotice || isOver()) {
            return false;
        }
        isEndAnnounced = true;
        lanes.control()
                .sendNow(ToClient.Reply.of(
                                Ending.newBuilder().setMillis(within.toMillis()).build())
                        .encode());
        return true;
    }

    /** Returns true if the client has asked to save the state since it knows of the end. */
    boolean isLeaving() {
        return isLeaving;
    }

    /** Accepts no further messages, and finishes the acknowledged work. */
    void drain(OutpostException reason) {
        lanes.stopReceiving();
        context.uploads().stop(reason);
        queue.end();
    }

    // ---- owners

    /** Makes this session the one of an owner. Returns the values of the session before; empty if there was none. */
    Optional<SessionOwners.Taken> takeOver(ByteString owner) throws InterruptedException {
        return owners.own(owner, this);
    }

    /**
     * Ends this session because another one continues with its values. The work that it has received is done first.
     *
     * @return the values; empty if they are gone
     */
    Optional<SessionOwners.Taken> handOver(Session next) throws InterruptedException {
        if (!worker.kept().claim()) {
            return Optional.empty();
        }
        successor = next;
        drain(new EndedException(TAKEN_OVER));
        long deadline = System.nanoTime() + LAST_WORK.toNanos();
        while (!isOver() && !worker.isFinished() && System.nanoTime() < deadline) {
            Thread.sleep(PAUSE);
        }
        end(TAKEN_OVER);
        if (!awaitStop(LAST_KERNEL)) {
            throw new OutpostException(
                    FaultKind.EXTERNAL, "attach: the session still computes for the earlier process; try again later");
        }
        return Optional.of(
                new SessionOwners.Taken(worker.kept(), context.faults().latest()));
    }

    /**
     * Returns true if a drained session can end, because the client has received everything or does not reconnect.
     */
    boolean isSettled() {
        lock.lock();
        try {
            boolean worked = isOver() || worker.isFinished();
            return state == SessionState.ENDED || worked && lanes.isAllAcknowledged() || hasHungUp();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns true if the client said goodbye and has been disconnected for a second, because if the answer to its goodbye had been lost,
     * it would have reconnected by now.
     */
    private boolean hasHungUp() {
        return state == SessionState.LEFT
                && connection == null
                && runtime.now() - disconnectedSince > COMING_BACK.toNanos();
    }

    void end(Fault fault) {
        end(ConnectionMessages.end(fault));
    }

    /**
     * Ends the session and sends the reason to the client. The worker frees the session's values as soon as it can.
     */
    void end(End end) {
        RuntimeConnection last;
        lock.lock();
        try {
            if (state == SessionState.ENDED) {
                return;
            }
            last = connection;
            if (last != null) {
                connection = null;
                disconnectedSince = runtime.now();
            }
            endedBy = end;
            if (log != null) {
                log.life("End", end.getFault().getMessage());
            }
            over(SessionState.ENDED);
        } finally {
            lock.unlock();
        }
        lanes.end(new EndedException(end));
        answers.close();
        peerAnswers.close();
        worker.stop();
        if (last != null) {
            last.end(end);
        }
    }

    /**
     * Ends the session after the client's goodbye, when all values are freed. Until the lease ends, the client can still receive the
     * answer.
     */
    void leave(Farewell farewell) {
        lock.lock();
        try {
            if (!isOver()) {
                if (log != null) {
                    log.life("End", "the client has left");
                }
                over(SessionState.LEFT);
                answers.close();
                peerAnswers.close();
                // The client has left, so values that are being sent are dropped, and their memory is released now.
                lanes.bulk().end(ReliableLane.closed());
                // The answer is sent under the lock, because a session that has left and has no unacknowledged message
                // is removed.
                lanes.control().sendNow(ToClient.Reply.of(farewell).encode());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Extends deadlines by the time for which the runtime stood still, because it could not read frames then. */
    void extend(long nanos) {
        lock.lock();
        try {
            long now = runtime.now();
            lastHeard = Math.min(now, lastHeard + nanos);
            disconnectedSince = Math.min(now, disconnectedSince + nanos);
            overSince = Math.min(now, overSince + nanos);
        } finally {
            lock.unlock();
        }
    }

    private void over(SessionState how) {
        overSince = runtime.now();
        state = how;
    }

    /**
     * Ends the session if its grant or its lease is over. Called every few milliseconds.
     *
     * @param now nanoseconds of the runtime's clock
     */
    void tick(long now) {
        if (state == SessionState.ENDED) {
            return;
        }
        if (log != null) {
            log.flush();
        }
        lanes.tick();
        grant.over(runtime.grants().now())
                .ifPresent(why -> end(
                        FaultMessages.of(FaultKind.EXTERNAL, why + ": ask for another one, and begin a new session")));
        if (isPastLease(lastHeard, now)) {
            end(FaultMessages.of(
                    FaultKind.EXTERNAL,
                    "the lease ran out: the client has sent nothing for "
                            + runtime.settings().lease().toMillis() + " ms"));
        }
    }

    /** Returns true if the device computes, a state is saved or restored, or the client has not acknowledged all messages. */
    boolean isAtWork() {
        return !isOver() && (worker.isAnyReplyWaiting() || worker.isMovingState() || !lanes.isAllAcknowledged());
    }

    /** Returns true if the session has ended and its client waits for no more messages. */
    boolean isForgettable() {
        if (!isOver()) {
            return false;
        }
        Session next = successor;
        if (next != null && !next.isOver()) {
            // A client that was disconnected for long must learn that another one has its values, because it would end
            // the machine.
            return false;
        }
        lock.lock();
        try {
            return isPastLease(overSince) || state == SessionState.LEFT && lanes.isAllAcknowledged();
        } finally {
            lock.unlock();
        }
    }

    /** Releases the lanes when the session is removed from {@link Sessions}. */
    void forget() {
        lanes.end(ReliableLane.closed());
        if (successor != null) {
            worker.kept().abandon();
        }
        lock.lock();
        try {
            connection = null;
        } finally {
            lock.unlock();
        }
    }

    boolean awaitStop(Duration atMost) throws InterruptedException {
        return worker.awaitStop(atMost);
    }

    public WorkCounters work() {
        return context.counters().work(LaneTraffic.of(lanes));
    }

    RuntimeLoad load() {
        return new RuntimeLoad(
                context.memory().usedBytes(),
                context.values().size(),
                queue.size(),
                queue.bytes(),
                context.uploads().size());
    }

    List<String> instructions(int max) {
        return worker.instructions(max);
    }

    SessionStats stats() {
        lock.lock();
        try {
            long now = runtime.now();
            Duration disconnected = connection == null ? Duration.ofNanos(now - disconnectedSince) : Duration.ZERO;
            Duration age = Duration.ofNanos(now - opened);
            return new SessionStats(number(), state, connection != null, disconnected, age, load(), work());
        } finally {
            lock.unlock();
        }
    }

    /** Returns the latest snapshots of the other members of the session's group. */
    List<MemberSnapshot> members() {
        List<MemberSnapshot> members = new ArrayList<>();
        context.peers()
                .states()
                .forEach((rank, state) -> read(state)
                        .ifPresent(snapshot -> members.add(MemberSnapshot.newBuilder()
                                .setSession(number())
                                .setRank(rank)
                                .setSnapshot(snapshot)
                                .build())));
        return members;
    }

    private static Optional<Snapshot> read(Slice state) {
        try {
            return Optional.of(Protobuf.parse(Snapshot.parser(), state.toByteArray(), "a member's state"));
        } catch (MalformedException malformed) {
            return Optional.empty();
        }
    }

    /** Returns the snapshot of this session for the other members of its group. It contains nothing about other sessions of the machine. */
    private byte[] snapshot() {
        SessionStats stats = stats();
        return Snapshot.newBuilder()
                .setUptimeMillis(stats.age().toMillis())
                .setEngine(runtime.engine().name())
                .setDevice(runtime.engine().device())
                .setLiveBytes(stats.load().liveBytes())
                .addSessions(SessionSnapshots.of(stats))
                .build()
                .toByteArray();
    }

    private boolean isPastLease(long since) {
        return isPastLease(since, runtime.now());
    }

    private boolean isPastLease(long since, long now) {
        return now - since > runtime.settings().lease().toNanos();
    }

    private void deliverControl(Bytes payload) {
        Message.decodeEachSized(payload, ToRuntime.Control.class, (message, bytes) -> {
            logReceived(message, bytes);
            if (isUse(message)) {
                used();
            }
            if (!isOver()) {
                accept(message);
            }
        });
    }

    /** Handles a control message. Messages about scans and questions about sources are handled immediately. All others are queued. */
    private void accept(ToRuntime.Control message) {
        switch (message) {
            case ToRuntime.GrantEmissions grant -> context.scanRequests().grant(grant);
            case ToRuntime.CancelScan cancel -> context.scanRequests().cancel(cancel);
            case ToRuntime.AskSource ask -> {
                if (negotiated.has(Feature.SOURCES)) {
                    answers.answer(ask.request());
                }
            }
            case ToRuntime.AskPeers ask -> {
                if (negotiated.has(Feature.GROUPS)) {
                    peerAnswers.answer(ask.request());
                }
            }
            case ToRuntime.PassSegment pass -> {
                context.peers().passOn(pass.bundle());
                queue.add(pass, runtime.clock());
            }
            case ToRuntime.TakeSegment take -> {
                context.peers().expect(take);
                queue.add(take, runtime.clock());
            }
            case ToRuntime.Request request when request.request().hasNoticeEnd() -> wantsNotice = true;
            case ToRuntime.InTurn inTurn -> {
                isLeaving |= inTurn instanceof ToRuntime.Request request
                        && request.request().hasSaveState()
                        && isEndAnnounced;
                if (inTurn instanceof ToRuntime.RunProgram run && run.scan() != 0) {
                    context.scanRequests().expect(run);
                }
                queue.add(inTurn, runtime.clock());
            }
        }
    }

    private static boolean isUse(ToRuntime.Control message) {
        return switch (message) {
            case ToRuntime.SegmentMessage _, ToRuntime.PassSegment _, ToRuntime.TakeSegment _ -> true;
            case ToRuntime.RunProgram _, ToRuntime.Fetch _ -> true;
            case ToRuntime.AskSource _, ToRuntime.SaveModel _, ToRuntime.AskPeers _ -> true;
            case ToRuntime.Free _, ToRuntime.DefineProgram _, ToRuntime.DropProgram _ -> false;
            case ToRuntime.Request request ->
                request.request().hasSaveState()
                        || request.request().hasRestoreState()
                        || request.request().hasOwn();
            case ToRuntime.GrantEmissions _, ToRuntime.CancelScan _ -> false;
        };
    }

    private void logReceived(ToRuntime message, int bytes) {
        if (log != null) {
            log.message("RECV", message, bytes);
        }
    }

    private void deliverBulk(Bytes payload) {
        Message.decodeEachSized(payload, ToRuntime.UploadChunk.class, (chunk, bytes) -> {
            logReceived(chunk, bytes);
            used();
            context.uploads().accept(chunk);
        });
    }
}
