package dev.outpost.rest.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A port behind which there are replicas: the first connections meet what the test says, all others are answered by {@code {}}. */
final class TestReplica implements AutoCloseable {
    /** The treatment of a connection. */
    enum Treatment {
        /** Closed before the handshake. */
        CLOSED,
        /** Answered once, and then never again. */
        SILENT_AFTER_ONE,
        /** Read, and never answered. */
        SILENT,
        /** Answered by the beginning of a body. */
        STALLED
    }

    private final ServerSocket listening;
    private final Optional<SSLContext> tls;
    private final Queue<Treatment> treatments;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    TestReplica(Optional<SSLContext> tls, Treatment... first) {
        this.tls = tls;
        this.treatments = new ConcurrentLinkedQueue<>(List.of(first));
        try {
            this.listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** @param host the host name in the requests, a name of the loopback address */
    BackendAccess access(String host) {
        String scheme = tls.isPresent() ? "https" : "http";
        return new BackendAccess(
                URI.create(scheme + "://" + host + ":" + listening.getLocalPort()),
                "op_0123456789_0123456789abcdef",
                Optional.empty());
    }

    int connections() {
        return connections.get();
    }

    /** Returns the lines of the requests. */
    List<String> lines() {
        return lines;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                connections.incrementAndGet();
                sockets.add(socket);
                Optional<Treatment> treatment = Optional.ofNullable(treatments.poll());
                Thread.ofVirtual().start(() -> serve(socket, treatment));
            }
        } catch (IOException ignored) {
            // The test is over.
        }
    }

    private void serve(Socket plain, Optional<Treatment> treatment) {
        try (Socket socket = treatment.equals(Optional.of(Treatment.CLOSED)) ? plain : secured(plain)) {
            if (socket == plain && tls.isPresent()) {
                // Once the client has begun the handshake it ends.
                socket.getInputStream().read();
                return;
            }
            int answers =
                    treatment.map(kind -> kind == Treatment.SILENT ? 0 : 1).orElse(Integer.MAX_VALUE);
            boolean isStalling = treatment.equals(Optional.of(Treatment.STALLED));
            String answer = "HTTP/1.1 200 OK\r\nContent-Length: " + (isStalling ? 9 : 2) + "\r\n\r\n{}";
            BufferedReader requests =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                lines.add(line);
                if (line.isEmpty() && answers-- > 0) {
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException ignored) {
            // The client hung up, or does not trust this server.
        }
    }

    private Socket secured(Socket socket) throws IOException {
        if (tls.isEmpty()) {
            return socket;
        }
        SSLSocket secured = (SSLSocket) tls.get().getSocketFactory().createSocket(socket, null, true);
        secured.setUseClientMode(false);
        return secured;
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
