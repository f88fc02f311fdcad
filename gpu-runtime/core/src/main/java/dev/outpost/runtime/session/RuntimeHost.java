package dev.outpost.runtime.session;

import dev.outpost.protocol.delivery.Frame;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Fault;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.plan.PlanCache;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
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

    private final Engine engine;
    private final RuntimeSettings settings;
    private final LongSupplier clock;
    private final PlanCache plans;
    private final AtomicLong liveBytes = new AtomicLong();
    private final Map<UUID, Session> sessions = new ConcurrentHashMap<>();
    private final ReentrantLock opening = new ReentrantLock();
    private final Thread ticker;
    private volatile boolean closed;

    public RuntimeHost(Engine engine, RuntimeSettings settings) {
        this(engine, settings, System::nanoTime);
    }

    /** @param clock a monotonic clock in nanoseconds, by which leases and repeats are judged */
    public RuntimeHost(Engine engine, RuntimeSettings settings, LongSupplier clock) {
        this.engine = engine;
        this.settings = settings;
        this.clock = clock;
        this.plans = new PlanCache(engine, settings.maxPlans());
        this.ticker = Thread.ofPlatform().name("outpost-ticker").daemon().start(this::tickUntilClosed);
    }

    /** A client has connected; its frames go to the answer. */
    public RuntimeConnection accept(FrameOutput out) {
        return new RuntimeConnection(this, out);
    }

    /** How many sessions have not ended. */
    public int sessionCount() {
        return (int)
                sessions.values().stream().filter(session -> !session.isOver()).count();
    }

    /** What the values of all sessions take. */
    public long liveBytes() {
        return liveBytes.get();
    }

    public RuntimeStats stats() {
        return new RuntimeStats(sessionCount(), liveBytes(), plans.size(), plans.plansMade());
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

    /** Ends all sessions and waits, for a while, until their memory is back. */
    @Override
    public void close() {
        List<Session> last;
        opening.lock();
        try {
            closed = true;
            last = List.copyOf(sessions.values());
        } finally {
            opening.unlock();
        }
        last.forEach(session -> session.end(Fault.of(FaultKind.EXTERNAL, "the machine was shut down")));
        try {
            for (Session session : last) {
                if (!session.awaitStop(LAST_KERNEL)) {
                    LOG.warn("session {} is still computing", session.id());
                }
            }
            ticker.join(LAST_KERNEL);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** The session that a hello asks for: a new one, or one that is there. */
    Session session(Frame.Hello hello) {
        opening.lock();
        try {
            if (closed) {
                throw new OutpostException(FaultKind.EXTERNAL, "the machine was shut down");
            }
            Session existing = sessions.get(hello.session());
            return hello.resume() ? requireKnown(existing, hello.session()) : open(existing, hello.session());
        } finally {
            opening.unlock();
        }
    }

    private static Session requireKnown(Session existing, UUID id) {
        if (existing == null) {
            throw new OutpostException(
                    FaultKind.EXTERNAL,
                    "the machine does not know session " + id + ": it was restarted, or the lease ran out");
        }
        return existing;
    }

    private Session open(Session existing, UUID id) {
        if (existing != null) {
            // The client that began it may have lost the welcome on the way.
            if (existing.isUntouched()) {
                return existing;
            }
            throw new OutpostException(FaultKind.USER, "session " + id + " exists already");
        }
        if (sessionCount() >= settings.maxSessions()) {
            throw new OutpostException(
                    FaultKind.RESOURCES, "the machine serves " + settings.maxSessions() + " sessions already");
        }
        Session session = new Session(id, engine, plans, settings, liveBytes, clock);
        sessions.put(id, session);
        return session;
    }

    private void tickUntilClosed() {
        try {
            while (!closed) {
                sessions.values().forEach(this::tick);
                Thread.sleep(TICK);
            }
        } catch (InterruptedException stopped) {
            // Nobody but the end of the process does this.
        }
    }

    private void tick(Session session) {
        try {
            session.tick();
            if (session.isForgettable()) {
                sessions.remove(session.id());
                session.forget();
            }
        } catch (RuntimeException defect) {
            LOG.error("session {} failed", session.id(), defect);
            session.end(Fault.of(FaultKind.INTERNAL, "the session failed on the machine: " + defect));
        }
    }
}
