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

/** One address for several replicas, as a Service of a cluster is: each connection goes to the next one that takes it. */
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

    /** Connections that there are stay. */
    public void remove(int port) {
        ports.remove(Integer.valueOf(port));
    }

    /** From now on nobody gets through, on connections that there are neither; or all do again. */
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
            // So be it.
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
            // No replica takes it: the client sees an end.
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

    /** Until one side ends; then the other is ended. */
    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException ignored) {
            // One of them is.
        }
        try {
            from.close();
            to.close();
        } catch (IOException ignored) {
            // So be it.
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
