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
 * A runtime: one engine and the sessions that compute on it. Whatever carries frames hands its connections to
 * {@link #accept}; who may connect is decided before. The engine stays the caller's, to be closed after this.
 */
public final class RuntimeHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RuntimeHost.class);
    /** A ticker that comes later than this part of the lease stood still. */
    private static final int LATENESS_OF_LEASE = 8;

    /** A collection of garbage, or a busy processor, is no standstill. */
    private static final Duration LEAST_LATENESS = Duration.ofMillis(500);

    private static final Duration LAST_KERNEL = Duration.ofSeconds(10);
    private static final End SHUT_DOWN =
            ConnectionMessages.end(FaultMessages.of(FaultKind.EXTERNAL, "the machine was shut down"));

    private final RuntimeContext runtime;
    private final Sessions sessions;
    private final ConnectionLimiter connectionLimiter;
    private final CountDownLatch tickerEnded = new CountDownLatch(1);
    /** Of the ticker's thread alone. */
    private long roundBegan;

    private volatile Runnable expiry = () -> {};
    private volatile Runnable onExhaustion = () -> LOG.error("the heap is full, and stays so");
    private volatile End farewell = SHUT_DOWN;
    private volatile boolean closed;

    public RuntimeHost(Engine engine, RuntimeSettings settings) {
        this(engine, settings, System::nanoTime);
    }

    /** @param clock a monotonic clock in nanoseconds, by which leases, repeats and turns are judged */
    public RuntimeHost(Engine engine, RuntimeSettings settings, LongSupplier clock) {
        this(RuntimeContext.of(engine, settings, clock), clock);
    }

    /** @param grants whose tokens open it, for whoever takes in connections */
    public RuntimeHost(Engine engine, RuntimeSettings settings, GrantRegistry grants) {
        this(RuntimeContext.of(engine, settings, System::nanoTime).withGrants(grants));
    }

    /**
     * As {@link #RuntimeHost(Engine, RuntimeSettings, GrantRegistry)}.
     *
     * @param peers how sessions reach other machines, as members of a group
     */
    public RuntimeHost(Engine engine, RuntimeSettings settings, GrantRegistry grants, PeerNetwork peers) {
        this(RuntimeContext.of(engine, settings, System::nanoTime)
                .withGrants(grants)
                .withPeers(peers));
    }

    RuntimeHost(RuntimeContext runtime) {
        this(runtime, System::nanoTime);
    }

    /** @param tickClock by which the ticker finds out that it was late */
    private RuntimeHost(RuntimeContext runtime, LongSupplier tickClock) {
        this.runtime = runtime;
        this.sessions = new Sessions(runtime);
        this.connectionLimiter = new ConnectionLimiter(runtime);
        // It reads the clock here: its thread may start late, and time until then counts against no session either.
        RuntimeTicker rounds = ticker(tickClock);
        Thread.ofPlatform().name("outpost-ticker").daemon().start(() -> tick(rounds));
    }

    /**
     * A client of the machine's owner has connected; its frames go to the answer. It counts until either side has closed it.
     *
     * @param channel the way to the client. Its methods neither block nor throw: they are called under locks
     * @throws dev.outpost.types.OutpostException of kind resources when too many connections are open
     */
    public RuntimeConnection accept(FrameChannel channel) {
        return accept(channel, runtime.grants().owner());
    }

    /** As {@link #accept(FrameChannel)}, for a client that has shown the token of a grant. */
    public RuntimeConnection accept(FrameChannel channel, GrantAccount grant) {
        RuntimeConnection connection = new RuntimeConnection(runtime, sessions, connectionLimiter, grant, channel);
        connectionLimiter.add(connection);
        return connection;
    }

    /**
     * Begins to judge whether this runtime has outlived its use.
     *
     * @param lifetime judged from this moment on
     * @param onEnd hears once that it has, and sees to its end; must not block
     */
    public void expireAfter(Lifetime lifetime, Consumer<RuntimeTermination> onEnd) {
        expiry = new Expiry(lifetime, runtime, sessions, onEnd)::tick;
    }

    /** Counts as if a client had been heard of now: for a runtime that waits for its first one. */
    public void keep() {
        runtime.activity().onMessage(runtime.now());
    }

    /** @param action runs when the heap has been full for seconds: such a runtime serves nobody, and should end */
    public void onExhaustion(Runnable action) {
        onExhaustion = action;
    }

    /** How many sessions have not ended. */
    public int sessionCount() {
        return sessions.open();
    }

    /** Whether the end has begun: no new session is taken in. */
    public boolean isDraining() {
        return sessions.refusesNew();
    }

    /** Whether it computes, or has answers on their way. */
    public boolean isBusy() {
        return sessions.isBusy();
    }

    /** The bytes of the values of all sessions. */
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

    /** The sessions in the order in which they were opened; those that have ended stay for one lease at most. */
    public List<SessionStats> sessions() {
        return sessions.stats();
    }

    /** The other members of groups that sessions are members of, as they last told of themselves; asks them anew. */
    public List<MemberSnapshot> members() {
        return sessions.members();
    }

    /**
     * The latest instructions of each open session, by its number: ops, dtypes and shapes as text, and no value.
     *
     * @param max how many of each, from 1 on
     */
    public SortedMap<Long, List<String>> instructions(int max) {
        return sessions.instructions(max);
    }

    /** Gives its sources secrets, in place of those that they have. */
    public void mount(Map<String, String> secrets) {
        runtime.settings().sources().secrets().mount(secrets);
    }

    /** The grants whose tokens open it. */
    public GrantRegistry grantBook() {
        return runtime.grants();
    }

    /** How each grant is used, but for the owner's. */
    public List<GrantStats> grants() {
        return sessions.grants();
    }

    /** Looks on from here on, until the answer is closed. */
    public Watch watch() {
        return runtime.observers().open();
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

    /** Ends all sessions and waits, for a while, until their memory is back. */
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

    /** Values on a device that is gone are lost, and later clients are not taken in. */
    private void endBroken(String reason) {
        End lost = ConnectionMessages.end(
                FaultMessages.of(FaultKind.EXTERNAL, "the machine's device failed: " + reason), End.Cause.FAILED);
        sessions.refuseAll(lost).forEach(session -> session.end(lost));
    }

    /** Silence is judged by when a round began: where the process stands still within one, frames have come that are not read yet. */
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

    /** Frames that came meanwhile are not read yet: to judge by when they were would end every session. */
    private void stoodStill(long nanos) {
        LOG.warn("the runtime stood still for {} ms; leases are extended by as much", nanos / 1_000_000);
        sessions.extend(nanos);
        connectionLimiter.extend(nanos);
        runtime.activity().extend(nanos, runtime.now());
    }
}
