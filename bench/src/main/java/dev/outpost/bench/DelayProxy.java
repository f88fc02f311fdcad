package dev.outpost.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** A proxy with a delay: every byte arrives half a round trip after it was sent, in either direction, at any rate. */
final class DelayProxy implements AutoCloseable {
    private static final int BUFFER = 64 << 10;
    private static final int PIECES = 4096;

    private record Piece(byte[] bytes, int length, long dueNanos) {}

    private final ServerSocket listening;
    private final String host;
    private final int port;
    private final long delayNanos;

    DelayProxy(String host, int port, long roundTripMillis) throws IOException {
        this.host = host;
        this.port = port;
        this.delayNanos = TimeUnit.MILLISECONDS.toNanos(roundTripMillis) / 2;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("proxy").start(this::accept);
    }

    String endpoint() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(host, port);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                carry(client, server);
                carry(server, client);
            }
        } catch (IOException ignored) {
            // The measurement has ended.
        }
    }

    private void carry(Socket from, Socket to) {
        BlockingQueue<Piece> wire = new ArrayBlockingQueue<>(PIECES);
        Thread.ofPlatform().daemon().start(() -> read(from, wire));
        Thread.ofPlatform().daemon().start(() -> write(wire, to));
    }

    private void read(Socket from, BlockingQueue<Piece> wire) {
        try (InputStream in = from.getInputStream()) {
            while (true) {
                byte[] bytes = new byte[BUFFER];
                int length = in.read(bytes);
                wire.put(new Piece(bytes, length, System.nanoTime() + delayNanos));
                if (length < 0) {
                    return;
                }
            }
        } catch (IOException | InterruptedException ignored) {
            wire.offer(new Piece(new byte[0], -1, 0));
        }
    }

    private static void write(BlockingQueue<Piece> wire, Socket to) {
        try (OutputStream out = to.getOutputStream()) {
            for (Piece piece = wire.take(); piece.length >= 0; piece = wire.take()) {
                sleepUntil(piece.dueNanos);
                out.write(piece.bytes, 0, piece.length);
            }
        } catch (IOException | InterruptedException ignored) {
            Thread.currentThread().interrupt();
        }
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
