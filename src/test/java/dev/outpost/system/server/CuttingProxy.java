package dev.outpost.system.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A network between a client and a runtime that can break: it passes on bytes, and disturbs them as the test wants.
 */
final class CuttingProxy implements AutoCloseable {
    enum Direction {
        TO_MACHINE,
        TO_CLIENT
    }

    private static final long NEVER = Long.MAX_VALUE;

    private final ServerSocket server;
    private final int target;
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicLongArray forwarded = new AtomicLongArray(Direction.values().length);
    private final AtomicLong[] left = {new AtomicLong(NEVER), new AtomicLong(NEVER)};
    private volatile boolean isOpen = true;
    private volatile boolean pauses;

    CuttingProxy(RuntimeProcess runtime) {
        target = runtime.port();
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    // ---- counters

    /** The number of connections that it has passed on so far. */
    int accepted() {
        return accepted.get();
    }

    /** The number of connections that it has refused. */
    int refused() {
        return refused.get();
    }

    /** The number of times that it has cut all connections. */
    int cuts() {
        return cuts.get();
    }

    long forwarded(Direction direction) {
        return forwarded.get(direction.ordinal());
    }

    // ---- disturbances

    /** Cuts all connections, once, when that many bytes more have gone in that direction. */
    void cutAfter(Direction direction, long bytes) {
        left[direction.ordinal()].set(bytes);
    }

    void cut() {
        Arrays.stream(left).forEach(bytes -> bytes.set(NEVER));
        cuts.incrementAndGet();
        connections.forEach(ProxiedConnection::cut);
    }

    /** Makes the present connections silently drop everything; new ones work. */
    void swallow() {
        connections.forEach(ProxiedConnection::swallow);
    }

    /** Sets whether new connections are passed on. */
    void open(boolean isOpenNow) {
        isOpen = isOpenNow;
    }

    /** Holds back all data in that direction after the given number of further bytes, until {@link #resume}. */
    void pauseAfter(Direction direction, long bytes) {
        pauses = true;
        left[direction.ordinal()].set(bytes);
    }

    boolean isPaused() {
        return connections.stream().anyMatch(ProxiedConnection::isPaused);
    }

    void resume() {
        pauses = false;
        Arrays.stream(left).forEach(bytes -> bytes.set(NEVER));
        connections.forEach(ProxiedConnection::resume);
    }

    /** Ends one direction of all connections as TCP can: the other still works. */
    void halfClose(Direction direction) {
        connections.forEach(connection -> connection.halfClose(direction));
    }

    @Override
    public void close() {
        isOpen = false;
        try {
            server.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        connections.forEach(ProxiedConnection::cut);
    }

    // ---- for its connections

    /** The number of these bytes that may pass now. */
    int allowed(Direction direction, int bytes) {
        AtomicLong budget = left[direction.ordinal()];
        long before = budget.getAndUpdate(now -> now == NEVER ? NEVER : Math.max(0, now - bytes));
        return (int) Math.min(before, bytes);
    }

    void passed(Direction direction, int bytes) {
        forwarded.addAndGet(direction.ordinal(), bytes);
        if (!pauses && left[direction.ordinal()].compareAndSet(0, NEVER)) {
            cut();
        }
    }

    boolean pauses() {
        return pauses;
    }

    void ended(ProxiedConnection connection) {
        connections.remove(connection);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                if (isOpen) {
                    accepted.incrementAndGet();
                    connections.add(new ProxiedConnection(this, client, new Socket("127.0.0.1", target)).start());
                } else {
                    refused.incrementAndGet();
                    client.close();
                }
            } catch (IOException ignored) {
                // The server has closed, or the target is gone: the client sees that nobody answers.
            }
        }
    }
}
