package dev.outpost.simulated.kubernetes.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.function.Supplier;

/** A port that forwards each connection to another port, which is chosen for each connection. */
final class TcpForward implements AutoCloseable {
    private final ServerSocket server;
    private final Supplier<Optional<InetSocketAddress>> target;

    private TcpForward(ServerSocket server, Supplier<Optional<InetSocketAddress>> target) {
        this.server = server;
        this.target = target;
    }

    static TcpForward open(String address, int port, Supplier<Optional<InetSocketAddress>> target) {
        try {
            ServerSocket server = new ServerSocket();
            server.bind(new InetSocketAddress(address, port));
            TcpForward forward = new TcpForward(server, target);
            Thread.ofVirtual().name("test-service").start(forward::accept);
            return forward;
        } catch (IOException failure) {
            throw new UncheckedIOException("service: " + address + ":" + port + " cannot be had", failure);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException ignored) {
            // Closing this object closes the socket.
        }
    }

    /** If no target exists, the connection ends. */
    private void serve(Socket client) {
        try (client) {
            Optional<InetSocketAddress> place = target.get();
            if (place.isPresent()) {
                bridge(client, place.get());
            }
        } catch (IOException ignored) {
            // Either side may close the connection at any time.
        }
    }

    private static void bridge(Socket client, InetSocketAddress place) throws IOException {
        try (Socket pod = new Socket(place.getAddress(), place.getPort())) {
            pod.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            Thread.ofVirtual().start(() -> copy(client, pod));
            copy(pod, client);
        }
    }

    /** Passes on the end of one side's data to the other side. */
    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException ignored) {
            // The direction that ends first closes both.
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
