package dev.outpost.runtime.session;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.rpc.MemberSnapshot;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.context.Watch;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.runtime.session.grant.GrantRegistry;
import dev.outpost.runtime.session.grant.GrantStats;
import dev.outpost.runtime.session.stats.RuntimeStats;
import dev.outpost.runtime.session.stats.SessionStats;
import dev.outpost.types.FaultKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A runtime: one engine and the sessions that compute on it. A transport hands its connections to {@link #accept},
 * after it has checked who may connect. The caller owns the engine, and closes it after this.
 */
public final class RuntimeHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RuntimeHost.class);
    /** The divisor of the lease: if the ticker is later than the quotient, the process stood still. */
    private static final int LATENESS_OF_LEASE = 8;

    /**
     * The delay below which the process does not count as standing still, because a garbage collection or a busy processor can cause a
     * smaller delay.
     */
    private static final Duration LEAST_LATENESS = Duration.ofMillis(500);

    private static final Duration LAST_KERNEL = Duration.ofSeconds(10);
    private static final End SHUT_DOWN =
            ConnectionMessages.end(FaultMessages.of(FaultKind.EXTERNAL, "the machine was shut down"));

    private final RuntimeContext runtime;
    private final Sessions sessions;
    private final ConnectionLimiter connectionLimiter;
    private final CountDownLatch tickerEnded = new CountDownLatch(1);
    /** The start of the current round in nanoseconds. Used by the ticker thread alone. */
    private long roundBegan;

    private volatile Runnable expiry = () -> {};
    private volatile Runnable onExhaustion = () -> LOG.error("the heap is full, and stays so");
    private volatile End farewell = SHUT_DOWN;
    private volatile boolean closed;

    public RuntimeHost(Engine engine, RuntimeSettings settings) {
        this(engine, settings, System::nanoTime);
    }

    /** @param clock a monotonic clock in nanoseconds for leases, repeated messages and time slices */
    public RuntimeHost(Engine engine, RuntimeSettings settings, LongSupplier clock) {
        this(RuntimeContext.of(engine, settings, clock), clock);
    }

    /** @param grants the grants whose tokens open this runtime */
    public RuntimeHost(Engine engine, RuntimeSettings settings, GrantRegistry grants) {
        this(RuntimeContext.of(engine, settings, System::nanoTime).withGrants(grants));
    }

    /**
     * Works like {@link #RuntimeHost(Engine, RuntimeSettings, GrantRegistry)}, for sessions that can be members of
     * groups.
     *
     * @param peers the network to other machines
     */
    public RuntimeHost(Engine engine, RuntimeSettings settings, GrantRegistry grants, PeerNetwork peers) {
        this(RuntimeContext.of(engine, settings, System::nanoTime)
                .withGrants(grants)
                .withPeers(peers));
    }

    RuntimeHost(RuntimeContext runtime) {
        this(runtime, System::nanoTime);
    }

    /** @param tickClock the clock by which the ticker detects that it was late */
    private RuntimeHost(RuntimeContext runtime, LongSupplier tickClock) {
        this.runtime = runtime;
        this.sessions = new Sessions(runtime);
        this.connectionLimiter = new ConnectionLimiter(runtime);
        // Creates the ticker here and not in its thread, because the ticker reads the clock. The thread may start late,
        // and this delay must
        // not count against a session.
        RuntimeTicker rounds = ticker(tickClock);
        Thread.ofPlatform().name("outpost-ticker").daemon().start(() -> tick(rounds));
    }

    /**
     * Adds a connection of the machine owner's client. Deliver its frames to the returned object. The connection counts
     * until either side closes it.
     *
     * @param channel the output to the client. Its methods must neither block nor throw: they are called under locks
     * @throws dev.outpost.types.OutpostException of kind resources if too many connections are open
     */
    public RuntimeConnection accept(FrameChannel channel) {
        return accept(channel, runtime.grants().owner());
    }

    /** Works like {@link #accept(FrameChannel)}, for a client that has shown the token of a grant. */
    public RuntimeConnection accept(FrameChannel channel, GrantAccount grant) {
        RuntimeConnection connection = new RuntimeConnection(runtime, sessions, connectionLimiter, grant, channel);
        connectionLimiter.add(connection);
        return connection;
    }

    /**
     * Starts to check whether the lifetime of this runtime is over.
     *
     * @param lifetime applies from this moment on
     * @param onEnd called once when the lifetime is over, and ends the runtime; must not block
     */
    public void expireAfter(Lifetime lifetime, Consumer<RuntimeTermination> onEnd) {
        expiry = new Expiry(lifetime, runtime, sessions, onEnd)::tick;
    }

    /** Restarts the lifetime's clock as if a client had sent a frame, for a runtime that waits for its first client. */
    public void keep() {
        runtime.activity().onMessage(runtime.now());
    }

    /**
     * @param action the action to run when the heap has been full for seconds. Then the runtime can serve no client,
     *     and should end
     */
    public void onExhaustion(Runnable action) {
        onExhaustion = action;
    }

    /** Returns the number of sessions that have not ended. */
    public int sessionCount() {
        return sessions.open();
    }

    /** Returns true if draining has begun: the runtime accepts no new session. */
    public boolean isDraining() {
        return sessions.refusesNew();
    }

    /** Returns true if the engine computes or a client has not received all answers. */
    public boolean isBusy() {
        return sessions.isBusy();
    }

    /** Returns the number of bytes that the values of all sessions hold. */
    public long liveBytes() {
        return runtime.sharedQuotas().liveBytes().used();
    }

    public RuntimeStats stats() {
        return new RuntimeStats(
                sessionCount(),
                connectionLimiter.size(),
                runtime.plans().size(),
                sessions.load().withLiveBytes(liveBytes()),
                sessions.work(),
                runtime.internalErrorLog().count(),
                runtime.limitCounters().counts());
    }

    /** Returns the sessions in the order in which they were opened. Ended sessions stay for at most one lease. */
    public List<SessionStats> sessions() {
        return sessions.stats();
    }

    /** Returns the latest snapshots that the other members of the sessions' groups sent, and asks them for new ones. */
    public List<MemberSnapshot> members() {
        return sessions.members();
    }

    /**
     * Returns the latest instructions of each open session, by its number: ops, dtypes and shapes as text, without
     * values.
     *
     * @param max the maximum number of instructions of each session, at least 1
     */
    public SortedMap<Long, List<String>> instructions(int max) {
        return sessions.instructions(max);
    }

    /** Replaces the secrets of the sources. */
    public void mount(Map<String, String> secrets) {
        runtime.settings().sources().secrets().mount(secrets);
    }

    /** Returns the grants whose tokens open this runtime. */
    public GrantRegistry grantBook() {
        return runtime.grants();
    }

    /** Returns the use of each grant except the owner's. */
    public List<GrantStats> grants() {
        return sessions.grants();
    }

    /** Starts to watch the instructions that run, until the returned watch is closed. */
    public Watch watch() {
        return runtime.observers().open();
    }

    /** Waits until all sessions have ended and all memory is released. Returns false if that takes too long. */
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
     * Accepts no further messages, and finishes the acknowledged work: runs the queue and sends the answers. Each session ends as soon as
     * its client has acknowledged the answers. When the time is over, all sessions end.
     *
     * @param why the reason that is sent to clients
     * @return true if all work was finished in time
     */
    public boolean drain(Duration atMost, RuntimeTermination why) throws InterruptedException {
        farewell = why.farewell();
        return new Drain(sessions, connectionLimiter, farewell).run(atMost);
    }

    private void tick(RuntimeTicker rounds) {
        try {
            rounds.runUntil(() -> closed);
        } finally {
            tickerEnded.countDown();
        }
    }

    /** Ends all sessions, and waits a limited time until their memory is released. */
    @Override
    public void close() {
        closed = true;
        End last = farewell;
        List<Session> left = sessions.refuseAll(last);
        left.forEach(session -> session.end(last));
        connectionLimiter.end(last);
        try {
            for (Session session : left) {
                if (!session.awaitStop(LAST_KERNEL)) {
                    LOG.warn("session {} is still computing", session.number());
                }
            }
            boolean ignored = tickerEnded.await(LAST_KERNEL.toNanos(), TimeUnit.NANOSECONDS);
            if (runtime.log() != null) {
                runtime.log().close();
            }
            runtime.loaded().close(LAST_KERNEL);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all sessions and refuses clients, because the device failed and its values are lost. */
    private void endBroken(String reason) {
        End lost = ConnectionMessages.end(
                FaultMessages.of(FaultKind.EXTERNAL, "the machine's device failed: " + reason), End.Cause.FAILED);
        sessions.refuseAll(lost).forEach(session -> session.end(lost));
    }

    /**
     * Builds the ticker. Leases are checked against the start of a round: if the process stood still within a round, it has not yet read
     * the frames that arrived.
     */
    private RuntimeTicker ticker(LongSupplier tickClock) {
        LongSupplier noted = () -> {
            roundBegan = runtime.now();
            return tickClock.getAsLong();
        };
        return new RuntimeTicker(
                List.of(
                        new RuntimeTicker.Task("sessions", () -> sessions.tick(roundBegan)),
                        new RuntimeTicker.Task("connections", () -> connectionLimiter.tick(roundBegan)),
                        new RuntimeTicker.Task("expiry", () -> expiry.run()),
                        new RuntimeTicker.Task(
                                "engine", () -> runtime.engine().brokenBy().ifPresent(this::endBroken))),
                runtime.internalErrorLog(),
                noted,
                lateness(),
                this::stoodStill,
                () -> onExhaustion.run());
    }

    private Duration lateness() {
        Duration part = runtime.settings().lease().dividedBy(LATENESS_OF_LEASE);
        return part.compareTo(LEAST_LATENESS) < 0 ? LEAST_LATENESS : part;
    }

    /**
     * Extends all deadlines by a standstill. The process has not yet read the frames that arrived meanwhile, so without the extension every
     * session would end.
     */
    private void stoodStill(long nanos) {
        LOG.warn("the runtime stood still for {} ms; leases are extended by as much", nanos / 1_000_000);
        sessions.extend(nanos);
        connectionLimiter.extend(nanos);
        runtime.activity().extend(nanos, runtime.now());
    }
}
