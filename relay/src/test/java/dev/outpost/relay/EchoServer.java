package dev.outpost.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands for a machine: sends back the received bytes. */
final class EchoServer implements AutoCloseable {
    private final ServerSocket server;
    private final AtomicInteger taken = new AtomicInteger();

    private EchoServer(ServerSocket server) {
        this.server = server;
    }

    static EchoServer start() {
        try {
            EchoServer echo = new EchoServer(new ServerSocket(0, 256, InetAddress.getByName("127.0.0.1")));
            Thread.ofVirtual().start(echo::run);
            return echo;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void run() {
        try {
            while (true) {
                Socket socket = server.accept();
                taken.incrementAndGet();
                Thread.ofVirtual().start(() -> echo(socket));
            }
        } catch (IOException ignored) {
            // The test is over.
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException ignored) {
            // The client has ended.
        }
    }

    InetAddress address() {
        return server.getInetAddress();
    }

    int port() {
        return server.getLocalPort();
    }

    int connections() {
        return taken.get();
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
