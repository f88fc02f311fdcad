package dev.outpost.runtime.session;

import dev.outpost.protocol.delivery.Frame;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.message.Fault;
import dev.outpost.runtime.engine.Engine;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A runtime: one engine and the sessions that compute on it. Whatever carries frames hands its connections to
 * {@link #accept}; who may connect is decided before. The engine stays the caller's, to be closed after this.
 */
public final class RuntimeHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RuntimeHost.class);
    private static final Duration TICK = Duration.ofMillis(5);
    private static final Duration LAST_KERNEL = Duration.ofSeconds(10);
    private static final Frame.End SHUT_DOWN = new Frame.End(Fault.of(FaultKind.EXTERNAL, "the machine was shut down"));

    private final Machine machine;
    private final Sessions sessions;
    private final Connections connections;
    private final Thread ticker;
    private volatile Runnable expiry = () -> {};
    private volatile Frame.End farewell = SHUT_DOWN;
    private volatile boolean closed;

    public RuntimeHost(Engine engine, RuntimeSettings settings) {
        this(engine, settings, System::nanoTime);
    }

    /** @param clock a monotonic clock in nanoseconds, by which leases, repeats and turns are judged */
    public RuntimeHost(Engine engine, RuntimeSettings settings, LongSupplier clock) {
        this(Machine.of(engine, settings, clock));
    }

    RuntimeHost(Machine machine) {
        this.machine = machine;
        this.sessions = new Sessions(machine);
        this.connections = new Connections(machine);
        this.ticker = Thread.ofPlatform().name("outpost-ticker").daemon().start(this::tickUntilClosed);
    }

    /**
     * A client has connected; its frames go to the answer. It counts until either side has closed it.
     *
     * @throws dev.outpost.protocol.fault.OutpostException of kind resources when too many connections are open
     */
    public RuntimeConnection accept(FrameOutput out) {
        RuntimeConnection connection = new RuntimeConnection(machine, sessions, connections, out);
        connections.add(connection);
        return connection;
    }

    /**
     * Begins to judge whether this runtime has outlived its use.
     *
     * @param lifetime judged from this moment on
     * @param onEnd hears once that it has, and sees to its end; must not block
     */
    public void expireAfter(Lifetime lifetime, Consumer<Ending> onEnd) {
        expiry = new Expiry(lifetime, machine, sessions, onEnd)::tick;
    }

    /** How many sessions have not ended. */
    public int sessionCount() {
        return sessions.open();
    }

    /** Whether the end has begun: no new session is taken in. */
    public boolean isDraining() {
        return sessions.refusesNew();
    }

    /** What the values of all sessions take. */
    public long liveBytes() {
        return machine.liveBytes().get();
    }

    public RuntimeStats stats() {
        return new RuntimeStats(
                sessionCount(),
                connections.size(),
                machine.plans().size(),
                sessions.load().withLiveBytes(liveBytes()),
                sessions.work(),
                machine.defects().count(),
                machine.refusals().counts());
    }

    /** The sessions in the order in which they were opened; those that have ended stay for one lease at most. */
    public List<SessionStats> sessions() {
        return sessions.stats();
    }

    /** Looks on from here on, until the answer is closed. */
    public Watch watch() {
        return machine.watches().open();
    }

    /** Waits until no session is left and all memory is back; false when that takes too long. */
    public boolean awaitIdle(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (sessionCount() > 0 || liveBytes() > 0) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(1);
        }
        return true;
    }

    /**
     * Takes in nothing more, and finishes what was acknowledged: runs what is queued and sends the answers home. Each
     * session ends as soon as its client has acknowledged them, and all of them when the time is over.
     *
     * @param why what clients are told
     * @return whether all was finished in time
     */
    public boolean drain(Duration atMost, Ending why) throws InterruptedException {
        farewell = why.farewell();
        return new Drain(sessions, connections, farewell).run(atMost);
    }

    /** Ends all sessions and waits, for a while, until their memory is back. */
    @Override
    public void close() {
        closed = true;
        Frame.End last = farewell;
        List<Session> left = sessions.refuseAll(last);
        left.forEach(session -> session.end(last));
        connections.end(last);
        try {
            for (Session session : left) {
                if (!session.awaitStop(LAST_KERNEL)) {
                    LOG.warn("session {} is still computing", session.number());
                }
            }
            ticker.join(LAST_KERNEL);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is on a device that is gone is lost, and whoever comes later is not taken in. */
    private void endBroken(String reason) {
        Frame.End lost = new Frame.End(
                Fault.of(FaultKind.EXTERNAL, "the machine's device failed: " + reason), Frame.End.Cause.FAILED);
        sessions.refuseAll(lost).forEach(session -> session.end(lost));
    }

    private void tickUntilClosed() {
        try {
            while (!closed) {
                sessions.tick();
                connections.tick();
                expiry.run();
                machine.engine().brokenBy().ifPresent(this::endBroken);
                Thread.sleep(TICK);
            }
        } catch (InterruptedException stopped) {
            // Nobody but the end of the process does this.
        }
    }
}
