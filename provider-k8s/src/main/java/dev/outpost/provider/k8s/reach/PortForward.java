package dev.outpost.provider.k8s.reach;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.utils.URLUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port of this host that the API server forwards to a port of a pod. Each connection to it opens a separate forward, so a broken one is
 * replaced by connecting again. The port stays the same.
 *
 * <p>The client library has port forwarding, but its threads keep the JVM of a finished program alive, and then the
 * machine would not be released.
 */
final class PortForward implements MachineRoute {
    private static final Logger LOG = LoggerFactory.getLogger(PortForward.class);
    private static final String PROTOCOL = "v4.channel.k8s.io";
    private static final int BACKLOG = 16;

    private final ServerSocket listening;
    private final HttpClient http;
    private final URI target;
    private final int targetPort;
    private final Duration connectTimeout;
    private final LongSupplier nanos;
    private final Set<ForwardedConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile long lastOpen;

    private PortForward(
            ServerSocket listening,
            HttpClient http,
            URI pod,
            int targetPort,
            Duration connectTimeout,
            LongSupplier nanos) {
        this.listening = listening;
        this.http = http;
        this.target = URI.create(URLUtils.join(pod.toString(), "portforward?ports=" + targetPort));
        this.targetPort = targetPort;
        this.connectTimeout = connectTimeout;
        this.nanos = nanos;
        this.lastOpen = nanos.getAsLong();
    }

    /**
     * Starts to listen.
     *
     * @param pod the URI of the pod, by http or https
     * @param connectTimeout the timeout of each connection; 0 for none
     * @param nanos a monotonic clock
     */
    static PortForward open(HttpClient http, URI pod, int targetPort, Duration connectTimeout, LongSupplier nanos) {
        try {
            ServerSocket listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
            PortForward forward = new PortForward(listening, http, pod, targetPort, connectTimeout, nanos);
            Thread.ofVirtual().name("outpost-forward").start(forward::accept);
            return forward;
        } catch (IOException failure) {
            throw new UncheckedIOException("port-forward: this host gave no port to listen on", failure);
        }
    }

    @Override
    public String host() {
        return listening.getInetAddress().getHostAddress();
    }

    @Override
    public int port() {
        return listening.getLocalPort();
    }

    /** Returns the time since the last forwarded connection ended; zero while one is open. */
    @Override
    public Duration cutOff() {
        boolean isOpen = connections.stream().anyMatch(ForwardedConnection::isOpen);
        return isOpen ? Duration.ZERO : Duration.ofNanos(nanos.getAsLong() - lastOpen);
    }

    /** Records the end of a connection. A connection that never opened does not count. */
    private void ended(ForwardedConnection connection) {
        if (connections.remove(connection) && connection.hasOpened()) {
            lastOpen = nanos.getAsLong();
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException failure) {
            LOG.debug("the forwarded port broke while it was closed", failure);
        }
        List.copyOf(connections).forEach(ForwardedConnection::close);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                forward(listening.accept());
            } catch (IOException failure) {
                LOG.debug("the forwarded port accepts no more", failure);
                close();
            }
        }
    }

    private void forward(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        ForwardedConnection connection = new ForwardedConnection(socket, targetPort, this::ended);
        connections.add(connection);
        if (listening.isClosed()) {
            connection.close();
        } else {
            connect(connection);
        }
    }

    /**
     * Opens the WebSocket of a connection. The client library reports nothing if the WebSocket is closed before its handlers are set.
     */
    private void connect(ForwardedConnection connection) {
        CompletableFuture<WebSocket> coming = http.newWebSocketBuilder()
                .uri(target)
                .subprotocol(PROTOCOL)
                .connectTimeout(connectTimeout.toMillis(), TimeUnit.MILLISECONDS)
                .buildAsync(connection);
        if (connectTimeout.isPositive()) {
            coming.orTimeout(connectTimeout.toMillis(), TimeUnit.MILLISECONDS);
        }
        coming.whenComplete((webSocket, refused) -> {
            if (refused != null) {
                connection.onError(webSocket, refused);
            }
        });
    }
}
