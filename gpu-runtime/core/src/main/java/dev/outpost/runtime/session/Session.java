package dev.outpost.runtime.session;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.Route;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** One client's work on the machine. It outlives connections, by one lease, and ends by a goodbye or for a reason. */
final class Session {
    private static final Duration COMING_BACK = Duration.ofSeconds(1);

    private final RuntimeContext machine;
    private final GrantAccount grant;
    private final SessionContext workspace;
    private final WorkQueue queue;
    private final Lanes lanes;
    private final SessionWorker worker;
    private final SourceAnswers answers;
    private final PeerAnswers peerAnswers;
    private final long opened;

    private final ReentrantLock lock = new ReentrantLock();
    private RuntimeConnection connection;
    private long disconnectedSince;
    private Frame.End endedBy;
    private long overSince;
    private volatile SessionState state = SessionState.OPEN;
    private volatile long lastHeard;

    Session(long number, RuntimeContext machine, GrantAccount grant) {
        this.machine = machine;
        this.grant = grant;
        opened = machine.now();
        disconnectedSince = opened;
        lastHeard = opened;
        workspace = SessionContext.of(number, machine, grant);
        queue = new WorkQueue(
                machine.limits(),
                machine.shares().queuedBytes().part(machine.limits().queuedBytes()),
                machine.refusals());
        lanes = new Lanes(this::deliverControl, this::deliverBulk, machine.clock());
        answers = new SourceAnswers(workspace, lanes.control());
        peerAnswers = new PeerAnswers(workspace, lanes.control());
        worker = new SessionWorker(this, workspace, lanes, queue, answers);
        worker.start();
    }

    /** What people call it; what clients call it is nobody else's business. */
    long number() {
        return workspace.session();
    }

    /** By what it was opened, and by what alone it is taken up again. */
    GrantAccount grant() {
        return grant;
    }

    boolean isOver() {
        return state != SessionState.OPEN;
    }

    /** Whether nothing has arrived yet: a client that never got its welcome may begin again. */
    boolean isUntouched() {
        return !isOver() && lanes.isUntouched();
    }

    /** Takes up a connection, in place of an earlier one; fails with the reason when the session has ended. */
    void attach(RuntimeConnection next, long[] receivedByClient) {
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
            heard();
            next.output().send(Lanes.CONTROL, welcome().encode());
            connection = next;
            lanes.attach(next.output(), receivedByClient);
        } finally {
            lock.unlock();
        }
    }

    /** A connection is gone; a later one may follow. */
    void detach(RuntimeConnection gone) {
        lock.lock();
        try {
            if (connection == gone) {
                detach();
            }
        } finally {
            lock.unlock();
        }
    }

    private void detach() {
        connection = null;
        disconnectedSince = machine.now();
        lanes.detach();
    }

    private Frame.Welcome welcome() {
        RuntimeSettings settings = machine.settings();
        long leaseMillis = settings.lease().toMillis();
        return new Frame.Welcome(
                lanes.received(),
                leaseMillis,
                Math.min(settings.quotaBytes(), grant.memory().most()),
                machine.engine().device());
    }

    void onData(Frame.Data frame) {
        heard();
        lanes.onData(frame);
    }

    void onAck(Frame.Ack frame) {
        heard();
        lanes.onAck(frame);
    }

    private void heard() {
        long now = machine.now();
        lastHeard = now;
        grant.heard(now);
        machine.occupancy().heard(now);
    }

    private void used() {
        machine.occupancy().used(machine.now());
    }

    /** What came in bulk and the engine has not taken yet. */
    Backlog backlog() {
        return workspace.uploads().backlog();
    }

    void onBulkReady() {
        lanes.bulk().ready();
    }

    /** Takes nothing more in, and finishes what it has acknowledged. */
    void drain(OutpostException reason) {
        lanes.stopReceiving();
        workspace.uploads().stop(reason);
        queue.end();
    }

    /** Once it is drained: whether the client has all that it can get. */
    boolean isSettled() {
        lock.lock();
        try {
            boolean worked = isOver() || worker.isFinished();
            return state == SessionState.ENDED || worked && lanes.isAllAcknowledged() || hasHungUp();
        } finally {
            lock.unlock();
        }
    }

    /** Who said goodbye and is gone does not come back: one that lost the answer on the way would by now be here for it. */
    private boolean hasHungUp() {
        return state == SessionState.LEFT
                && connection == null
                && machine.now() - disconnectedSince > COMING_BACK.toNanos();
    }

    void end(Fault fault) {
        end(new Frame.End(fault));
    }

    /** Ends the session for a reason, which the client is told. The worker frees what it holds as soon as it can. */
    void end(Frame.End end) {
        RuntimeConnection last;
        lock.lock();
        try {
            if (state == SessionState.ENDED) {
                return;
            }
            last = connection;
            if (last != null) {
                connection = null;
                disconnectedSince = machine.now();
            }
            endedBy = end;
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

    /** The client said goodbye and all is freed; the answer is delivered as long as the lease lasts. */
    void leave(Message.Farewell farewell) {
        lock.lock();
        try {
            if (!isOver()) {
                over(SessionState.LEFT);
                answers.close();
                peerAnswers.close();
                // Values on their way to a client that has left are nobody's: their memory comes back now.
                lanes.bulk().end(ReliableLane.closed());
                // Under the lock: a session that left and owes nothing is forgotten.
                lanes.control().sendNow(farewell.encode());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Time in which the runtime stood still counts against nobody: it heard nothing then, whatever was said. */
    void extend(long nanos) {
        lock.lock();
        try {
            long now = machine.now();
            lastHeard = Math.min(now, lastHeard + nanos);
            disconnectedSince = Math.min(now, disconnectedSince + nanos);
            overSince = Math.min(now, overSince + nanos);
        } finally {
            lock.unlock();
        }
    }

    private void over(SessionState how) {
        overSince = machine.now();
        state = how;
    }

    /** Called every few milliseconds. */
    void tick() {
        if (state == SessionState.ENDED) {
            return;
        }
        lanes.tick();
        grant.over(machine.grants().now())
                .ifPresent(why ->
                        end(Fault.of(FaultKind.EXTERNAL, why + ": ask for another one, and begin a new session")));
        if (isPastLease(lastHeard)) {
            end(Fault.of(
                    FaultKind.EXTERNAL,
                    "the lease ran out: nothing was heard of the client for "
                            + machine.settings().lease().toMillis() + " ms"));
        }
    }

    /** Whether its device computes, or something is on its way to a client that may still take it. */
    boolean isAtWork() {
        return !isOver() && (worker.isAnyReplyWaiting() || !lanes.isAllAcknowledged());
    }

    /** Whether nobody can want anything of this session any more. */
    boolean isForgettable() {
        if (!isOver()) {
            return false;
        }
        lock.lock();
        try {
            return isPastLease(overSince) || state == SessionState.LEFT && lanes.isAllAcknowledged();
        } finally {
            lock.unlock();
        }
    }

    /** Called when the session is dropped from the books. */
    void forget() {
        lanes.end(ReliableLane.closed());
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

    LaneBytes bytes() {
        return workspace.counters().bytes;
    }

    Work work() {
        return workspace.counters().work();
    }

    Load load() {
        return new Load(
                workspace.memory().usedBytes(),
                workspace.values().size(),
                queue.size(),
                queue.bytes(),
                workspace.uploads().size());
    }

    SessionStats stats() {
        lock.lock();
        try {
            long now = machine.now();
            Duration disconnected = connection == null ? Duration.ofNanos(now - disconnectedSince) : Duration.ZERO;
            Duration age = Duration.ofNanos(now - opened);
            return new SessionStats(number(), state, connection != null, disconnected, age, load(), work());
        } finally {
            lock.unlock();
        }
    }

    private boolean isPastLease(long since) {
        return machine.now() - since > machine.settings().lease().toNanos();
    }

    private void deliverControl(Bytes payload) {
        Message.decodeEach(payload, Route.CONTROL_TO_RUNTIME, message -> {
            if (isUse(message)) {
                used();
            }
            if (!isOver()) {
                accept(message);
            }
        });
    }

    /** What is said of scans does not wait behind them, nor does what is asked about sources. */
    private void accept(Message message) {
        switch (message) {
            case Message.AskSource ask -> {
                // What it writes is computed before.
                if (answers.answer(ask)) {
                    queue.add(message, machine.clock());
                }
            }
            case Message.AskPeers ask -> peerAnswers.answer(ask);
            case Message.GrantEmissions grant -> workspace.scans().grant(grant);
            case Message.CancelScan cancel -> workspace.scans().cancel(cancel);
            case Message.RunProgram run
            when run.scan() != 0 -> {
                workspace.scans().expect(run);
                queue.add(run, machine.clock());
            }
            default -> queue.add(message, machine.clock());
        }
    }

    private static boolean isUse(Message message) {
        return message instanceof Message.RunSegment
                || message instanceof Message.RememberSegment
                || message instanceof Message.RepeatSegment
                || message instanceof Message.RunProgram
                || message instanceof Message.Fetch
                || message instanceof Message.AskSource
                || message instanceof Message.AskPeers;
    }

    private void deliverBulk(Bytes payload) {
        Message.decodeEach(payload, Route.BULK_TO_RUNTIME, message -> {
            used();
            workspace.uploads().accept((Message.UploadChunk) message);
        });
    }
}
