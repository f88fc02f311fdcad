package dev.outpost.provider.mock;

import dev.outpost.channel.AccessRefusedException;
import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.channel.grant.Secrets;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachineSummary;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.session.Lifetime;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.RuntimeTermination;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.runtime.session.grant.GrantRegistry;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A mock machine from the view of its operator: tests can observe it and make it fail. */
public final class MockMachine {
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final String id;
    private final MockNetwork network;
    private final PeerNetwork peers;
    private final Engine engine;
    private final RuntimeSettings settings;
    private final GpuType gpu;
    private final Optional<Duration> life;
    private final Lifetime lifetime;
    private final GrantRegistry grants = new GrantRegistry(InstantSource.system());
    private final Instant created = Instant.now();
    private final CompletableFuture<MachineLoss> lost = new CompletableFuture<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final Set<MockConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong connectionsOpened = new AtomicLong();
    private final AtomicLong framesFromClient = new AtomicLong();
    private final AtomicLong framesFromMachine = new AtomicLong();
    private volatile RuntimeHost host;
    private volatile String unreachable = "";
    private boolean closed;

    /**
     * Starts a machine.
     *
     * @param life its lifetime, with or without a client; empty if it is tied to a client
     * @param peers the network to the other machines of the provider
     */
    MockMachine(String id, GpuType gpu, Optional<Duration> life, MockSettings settings, PeerNetwork peers) {
        this.peers = peers;
        this.id = id;
        this.gpu = gpu;
        this.life = life;
        this.lifetime = settings.lifetime();
        this.network = settings.network();
        this.engine = settings.engine().get();
        this.settings = RuntimeSettings.withQuota(settings.quotaOn(gpu))
                .withLease(settings.lease())
                .withSources(settings.sources())
                .withDialect(settings.versions())
                .withLimits(settings.limits());
        this.host = startHost();
    }

    private RuntimeHost startHost() {
        RuntimeHost started = new RuntimeHost(engine, settings, grants, peers);
        started.expireAfter(
                lifetime, why -> Thread.ofVirtual().name(id + "-end").start(() -> expire(started, why)));
        return started;
    }

    public String id() {
        return id;
    }

    /** Returns the name of the device, for people. */
    public String device() {
        return engine.device();
    }

    /** Returns the current runtime, to look at its sessions and its memory. */
    public RuntimeHost host() {
        return host;
    }

    /**
     * Grants the holder of a token access to the machine, or changes the terms of that grant. The leases of the
     * provider have all rights.
     */
    public void grant(String token, GrantTerms terms) {
        grants.bind(Secrets.sha256Hex(token), terms);
    }

    /** Revokes a token: it is no longer accepted, and its sessions end. */
    public void revoke(String token) {
        grants.revoke(Secrets.sha256Hex(token));
    }

    /** Returns the endpoint for the holder of a token. The token is compared when a connection is made. */
    public Endpoint endpoint(String token) {
        return new Endpoint.InProcess(listener -> open(listener, grantOf(token)));
    }

    private GrantAccount grantOf(String token) throws AccessRefusedException {
        return grants.find(Secrets.sha256(token))
                .orElseThrow(() -> new AccessRefusedException(
                        id + ": the token is not valid for this machine, or no longer valid"));
    }

    /** Returns the number of frames that clients have sent, lost ones included. */
    public long framesFromClient() {
        return framesFromClient.get();
    }

    /** Returns the number of frames that the machine has sent, lost ones included. */
    public long framesFromMachine() {
        return framesFromMachine.get();
    }

    /** Returns the number of connections since the machine's start. */
    public long connectionsOpened() {
        return connectionsOpened.get();
    }

    /** Breaks the current connections; new ones can be made at once. */
    public void cutNow() {
        cut("the connection to " + id + " broke");
    }

    /** Breaks all connections, and refuses new ones until {@link #reconnect}. */
    public void disconnect() {
        unreachable = "the network to " + id + " is down";
        cut(unreachable);
    }

    /** Ends {@link #disconnect}. */
    public void reconnect() {
        unreachable = "";
    }

    /** Kills the runtime as if its process died. A new runtime starts at once, without the sessions of the old one. */
    public synchronized void killRuntime() {
        RuntimeHost killed = host;
        host = startHost();
        cut("the runtime on " + id + " died");
        killed.close();
    }

    /** Ends the machine like the preemption of a node: its lease reports the loss, and all later connections fail. */
    public void lose(String reason) {
        lose(MachineLoss.failed(reason));
    }

    private void lose(MachineLoss loss) {
        if (close(loss.reason())) {
            lost.complete(loss);
        }
    }

    /** Ends a runtime that was idle for too long: it finishes its work, and then the machine ends too. */
    private void expire(RuntimeHost expired, RuntimeTermination why) {
        try {
            expired.drain(DRAIN, why);
            lose(new MachineLoss(MachineLoss.Cause.IDLE, why.sentence()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Completes with the reason when the machine has ended for any cause. */
    CompletableFuture<String> ended() {
        return ended;
    }

    MachineSummary summary() {
        String state = ended.isDone() ? "ended: " + ended.join() : "running";
        String owner = System.getProperty("user.name");
        return new MachineSummary(id, gpu.name(), state, owner, created, life.map(created::plus), life.isPresent());
    }

    /** Completes when the machine is lost; never completes if it is released. */
    CompletableFuture<MachineLoss> lost() {
        return lost;
    }

    void release() {
        close(id + " was released");
    }

    /** Opens a connection with the rights of the machine's owner. */
    FrameChannel open(FrameListener listener) throws IOException {
        return open(listener, grants.owner());
    }

    private synchronized FrameChannel open(FrameListener listener, GrantAccount grant) throws IOException {
        if (closed || !unreachable.isEmpty()) {
            throw new IOException(closed ? id + " is gone" : unreachable);
        }
        long number = connectionsOpened.getAndIncrement();
        try {
            MockConnection connection = new MockConnection(this, host, grant, listener, network, number);
            connections.add(connection);
            return connection;
        } catch (OutpostException failure) {
            throw new IOException(failure.getMessage(), failure);
        }
    }

    void forget(MockConnection connection) {
        connections.remove(connection);
    }

    void countFromClient(MockConnection connection, long onConnection) {
        framesFromClient.incrementAndGet();
        cutIfPlanned(connection, onConnection);
    }

    void countFromMachine(MockConnection connection, long onConnection) {
        framesFromMachine.incrementAndGet();
        cutIfPlanned(connection, onConnection);
    }

    private void cutIfPlanned(MockConnection connection, long onConnection) {
        boolean after = network.cutAfter() > 0 && framesFromClient() + framesFromMachine() == network.cutAfter();
        boolean every = network.cutEvery() > 0 && onConnection == network.cutEvery();
        if (after || every) {
            connection.cut("the connection to " + id + " broke, as planned");
        }
    }

    private void cut(String reason) {
        List.copyOf(connections).forEach(connection -> connection.cut(reason));
    }

    private synchronized boolean close(String reason) {
        if (closed) {
            return false;
        }
        closed = true;
        cut(reason);
        host.close();
        engine.close();
        ended.complete(reason);
        return true;
    }
}
