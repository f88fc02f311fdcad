package dev.outpost.system.backend.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** One address for several replicas, like a Service of a cluster: each connection goes to the next replica that accepts it. */
public final class Balancer implements AutoCloseable {
    private final ServerSocket server;
    private final List<Integer> ports = new CopyOnWriteArrayList<>();
    private final AtomicInteger next = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isCut;

    private Balancer(ServerSocket server) {
        this.server = server;
    }

    public static Balancer start() {
        try {
            Balancer balancer = new Balancer(new ServerSocket(0, 256, InetAddress.getByName("127.0.0.1")));
            Thread.ofVirtual().start(balancer::run);
            return balancer;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public String address() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    public void add(int port) {
        ports.add(port);
    }

    /** Existing connections stay. */
    public void remove(int port) {
        ports.remove(Integer.valueOf(port));
    }

    /** Blocks or unblocks all traffic, including that of existing connections. */
    public void cut(boolean now) {
        isCut = now;
        if (now) {
            open.forEach(Balancer::end);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException ignored) {
            // This is expected.
        }
    }

    private void run() {
        try {
            while (true) {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> pass(client));
            }
        } catch (IOException ignored) {
            // The test is over.
        }
    }

    private void pass(Socket client) {
        open.add(client);
        try (client;
                Socket replica = connect()) {
            Thread back = Thread.ofVirtual().start(() -> copy(replica, client));
            copy(client, replica);
            back.join();
        } catch (IOException ignored) {
            // No replica accepts the connection, so the client sees its end.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(client);
        }
    }

    private Socket connect() throws IOException {
        if (isCut) {
            throw new IOException("the network is cut");
        }
        IOException last = new IOException("there is no replica");
        for (int attempt = 0; attempt < 2; attempt++) {
            List<Integer> known = List.copyOf(ports);
            if (!known.isEmpty()) {
                try {
                    return new Socket("127.0.0.1", known.get(Math.floorMod(next.getAndIncrement(), known.size())));
                } catch (IOException failure) {
                    last = failure;
                }
            }
        }
        throw last;
    }

    /** Copies until one side ends; then the other is closed. */
    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException ignored) {
            // One of them has ended.
        }
        try {
            from.close();
            to.close();
        } catch (IOException ignored) {
            // This is expected.
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
