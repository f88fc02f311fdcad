package dev.outpost.runtime.session;

import dev.outpost.protocol.delivery.Frame;
import dev.outpost.protocol.delivery.ReliableLane;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.MalformedException;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Message;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.plan.PlanCache;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** One client's work on the machine. It outlives connections, by one lease, and ends by a goodbye or for a reason. */
final class Session {
    private static final int CONTROL = 0;
    private static final int BULK = 1;
    private static final long WINDOW_BYTES = 16L << 20;

    private enum State {
        OPEN,
        /** The client said goodbye; only the answer is still on its way. */
        LEFT,
        ENDED
    }

    private final UUID id;
    private final RuntimeSettings settings;
    private final LongSupplier clock;
    private final String device;
    private final WorkQueue queue = new WorkQueue();
    private final Uploads uploads;
    private final ReliableLane control;
    private final ReliableLane bulk;
    private final SessionWorker worker;

    private final ReentrantLock lock = new ReentrantLock();
    private RuntimeConnection connection;
    private Fault endedBy;
    private long overSince;
    private volatile State state = State.OPEN;
    private volatile long lastHeard;

    Session(
            UUID id,
            Engine engine,
            PlanCache plans,
            RuntimeSettings settings,
            AtomicLong machineBytes,
            LongSupplier clock) {
        this.id = id;
        this.settings = settings;
        this.clock = clock;
        this.device = engine.device();
        this.lastHeard = clock.getAsLong();
        SessionMemory memory = new SessionMemory(engine, new Quota(settings.quotaBytes(), machineBytes));
        uploads = new Uploads(memory, engine);
        control = new ReliableLane(CONTROL, WINDOW_BYTES, this::deliverControl, clock);
        bulk = new ReliableLane(BULK, WINDOW_BYTES, this::deliverBulk, clock);
        worker = new SessionWorker(this, engine, plans, control, bulk, queue, memory, uploads);
        worker.start();
    }

    UUID id() {
        return id;
    }

    boolean isOver() {
        return state != State.OPEN;
    }

    /** Whether nothing has arrived yet: a client that never got its welcome may begin again. */
    boolean isUntouched() {
        return !isOver() && control.received() == 0 && bulk.received() == 0;
    }

    /** Takes up a connection, in place of an earlier one; fails with the reason when the session has ended. */
    void attach(RuntimeConnection next, long[] receivedByClient) {
        lock.lock();
        try {
            if (endedBy != null) {
                throw new OutpostException(endedBy.kind(), endedBy.message());
            }
            RuntimeConnection previous = connection;
            detach();
            if (previous != null) {
                previous.close("a newer connection of the session took over");
            }
            lastHeard = clock.getAsLong();
            long[] received = {control.received(), bulk.received()};
            next.send(
                    CONTROL,
                    new Frame.Welcome(received, settings.lease().toMillis(), settings.quotaBytes(), device).encode());
            connection = next;
            control.attach(next::send, receivedByClient[CONTROL]);
            bulk.attach(next::send, receivedByClient[BULK]);
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
        control.detach();
        bulk.detach();
    }

    void onData(Frame.Data frame) {
        lastHeard = clock.getAsLong();
        lane(frame.lane()).onData(frame);
    }

    void onAck(Frame.Ack frame) {
        lastHeard = clock.getAsLong();
        lane(frame.lane()).onAck(frame);
    }

    /** Ends the session for a reason, which the client is told. The worker frees what it holds as soon as it can. */
    void end(Fault fault) {
        RuntimeConnection last;
        lock.lock();
        try {
            if (isOver()) {
                return;
            }
            last = connection;
            connection = null;
            endedBy = fault;
            overSince = clock.getAsLong();
            state = State.ENDED;
        } finally {
            lock.unlock();
        }
        endLanes(new OutpostException(fault.kind(), fault.message()));
        worker.stop();
        if (last != null) {
            last.end(fault);
        }
    }

    /** The client said goodbye and all is freed; the answer is delivered as long as the lease lasts. */
    void leave(Message.Farewell farewell) {
        lock.lock();
        try {
            if (isOver()) {
                return;
            }
            overSince = clock.getAsLong();
            state = State.LEFT;
            // Under the lock: a session that left and owes nothing is forgotten.
            control.sendNow(farewell.encode());
        } finally {
            lock.unlock();
        }
    }

    /** Called every few milliseconds. */
    void tick() {
        if (state == State.ENDED) {
            return;
        }
        control.tick();
        bulk.tick();
        if (isPastLease(lastHeard)) {
            end(Fault.of(
                    FaultKind.EXTERNAL,
                    "the lease ran out: nothing was heard of the client for "
                            + settings.lease().toMillis() + " ms"));
        }
    }

    /** Whether nobody can want anything of this session any more. */
    boolean isForgettable() {
        if (!isOver()) {
            return false;
        }
        lock.lock();
        try {
            return isPastLease(overSince) || state == State.LEFT && isAllAcknowledged();
        } finally {
            lock.unlock();
        }
    }

    /** Called when the session is dropped from the books. */
    void forget() {
        endLanes(ReliableLane.closed());
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

    private boolean isPastLease(long since) {
        return clock.getAsLong() - since > settings.lease().toNanos();
    }

    private boolean isAllAcknowledged() {
        return control.pendingBytes() == 0 && bulk.pendingBytes() == 0;
    }

    private void endLanes(OutpostException reason) {
        control.end(reason);
        bulk.end(reason);
    }

    private ReliableLane lane(int number) {
        return number == CONTROL ? control : bulk;
    }

    private void deliverControl(byte[] payload) {
        for (Message message : Message.decodeAll(payload)) {
            if (!isOver()) {
                queue.add(message);
            }
        }
    }

    private void deliverBulk(byte[] payload) {
        for (Message message : Message.decodeAll(payload)) {
            if (!(message instanceof Message.UploadChunk chunk)) {
                throw new MalformedException(message.getClass().getSimpleName() + " does not belong on the bulk lane");
            }
            uploads.accept(chunk);
        }
    }
}
