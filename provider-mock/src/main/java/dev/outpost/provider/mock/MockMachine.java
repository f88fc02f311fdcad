package dev.outpost.provider.mock;

import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.provider.FrameChannel;
import dev.outpost.provider.FrameListener;
import dev.outpost.provider.GpuType;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.RuntimeSettings;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A machine of the mock, as its operator sees it: what happens on it can be watched, and misfortunes called down on it. */
public final class MockMachine {
    private final String id;
    private final MockNetwork network;
    private final Engine engine;
    private final RuntimeSettings settings;
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final Set<MockConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong connectionsOpened = new AtomicLong();
    private final AtomicLong framesFromClient = new AtomicLong();
    private final AtomicLong framesFromMachine = new AtomicLong();
    private volatile RuntimeHost host;
    private volatile String unreachable = "";
    private boolean closed;

    MockMachine(String id, GpuType gpu, MockSettings settings) {
        this.id = id;
        this.network = settings.network();
        this.engine = settings.engine().start();
        this.settings = RuntimeSettings.withQuota(settings.quotaOn(gpu)).withLease(settings.lease());
        this.host = new RuntimeHost(engine, this.settings);
    }

    public String id() {
        return id;
    }

    /** What computes, for people. */
    public String device() {
        return engine.device();
    }

    /** The runtime of this moment, to look at its sessions and its memory. */
    public RuntimeHost host() {
        return host;
    }

    /** Frames that clients have sent, those included that got lost. */
    public long framesFromClient() {
        return framesFromClient.get();
    }

    /** Frames that the machine has sent, those included that got lost. */
    public long framesFromMachine() {
        return framesFromMachine.get();
    }

    /** How many connections there have been. */
    public long connectionsOpened() {
        return connectionsOpened.get();
    }

    /** Breaks the connections of this moment; new ones can be made at once. */
    public void cutNow() {
        cut("the connection to " + id + " broke");
    }

    /** Breaks all connections, and lets no new one come until {@link #reconnect}. */
    public void disconnect() {
        unreachable = "the network to " + id + " is down";
        cut(unreachable);
    }

    /** Ends {@link #disconnect}. */
    public void reconnect() {
        unreachable = "";
    }

    /** Kills the runtime, as when its process dies: it is back at once, but knows none of its sessions. */
    public synchronized void killRuntime() {
        RuntimeHost killed = host;
        host = new RuntimeHost(engine, settings);
        cut("the runtime on " + id + " died");
        killed.close();
    }

    /** Takes the whole machine away, as when a node is preempted: its lease tells so, and nothing connects again. */
    public void lose(String reason) {
        if (close(reason)) {
            lost.complete(reason);
        }
    }

    /** Completes when the machine was lost; one that was released never is. */
    CompletableFuture<String> lost() {
        return lost;
    }

    /** Gives the machine back. */
    void release() {
        close(id + " was released");
    }

    /** One attempt at a connection. */
    synchronized FrameChannel open(FrameListener listener) throws IOException {
        if (closed || !unreachable.isEmpty()) {
            throw new IOException(closed ? id + " is gone" : unreachable);
        }
        long number = connectionsOpened.getAndIncrement();
        try {
            MockConnection connection = new MockConnection(this, host, listener, network, number);
            connections.add(connection);
            return connection;
        } catch (OutpostException refused) {
            throw new IOException(refused.getMessage(), refused);
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
        return true;
    }
}
