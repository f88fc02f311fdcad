package dev.outpost.provider.k8s.reach;

import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One TCP connection of this host, carried by a WebSocket to a port of a pod. Each message begins with the number of its channel: 0 is
 * data, 1 is the error of the node's end. The first message of a channel only repeats the port.
 *
 * <p>That first message may be missing: messages directly after the handshake are lost if the client library has not set its handlers yet.
 * So it is recognised by its content, not by its position. No data are lost this way, because the session port speaks TLS: the client sends
 * first, after the handlers are set. A close may also be lost. Then sent data are not received.
 */
final class ForwardedConnection implements WebSocket.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ForwardedConnection.class);
    private static final int DATA = 0;
    private static final int ERROR = 1;
    private static final int NORMAL = 1000;
    private static final int GREETING_BYTES = Short.BYTES;
    private static final int CHUNK_BYTES = 32 << 10;

    /** The maximum number of bytes that may wait to be sent. Above it, this side stops reading from its socket. */
    private static final long QUEUE_BYTES = 1 << 20;

    private static final Duration QUEUE_PAUSE = Duration.ofMillis(1);

    private final Socket socket;
    private final int port;
    private final Consumer<ForwardedConnection> onClose;
    private final CompletableFuture<WebSocket> opened = new CompletableFuture<>();
    private final boolean[] begun = new boolean[2];

    /** @param port the port of the pod */
    ForwardedConnection(Socket socket, int port, Consumer<ForwardedConnection> onClose) {
        this.socket = socket;
        this.port = port;
        this.onClose = onClose;
    }

    @Override
    public void onOpen(WebSocket webSocket) {
        opened.complete(webSocket);
        Thread.ofVirtual().name("outpost-forward-out").start(() -> send(webSocket));
    }

    @Override
    public void onMessage(WebSocket webSocket, String text) {
        onMessage(webSocket, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Handles a message on a new thread. The WebSocket delivers no other message before {@code request}, so these threads run one after
     * the other.
     */
    @Override
    public void onMessage(WebSocket webSocket, ByteBuffer message) {
        Thread.ofVirtual().name("outpost-forward-in").start(() -> receive(webSocket, message));
    }

    @Override
    public void onClose(WebSocket webSocket, int code, String reason) {
        close();
    }

    @Override
    public void onError(WebSocket webSocket, Throwable error) {
        LOG.debug("a forwarded connection broke", error);
        close();
    }

    /** Returns true if the API server has opened the forwarding. */
    boolean hasOpened() {
        return opened.isDone();
    }

    boolean isOpen() {
        return hasOpened() && !socket.isClosed();
    }

    /** Closes both sides. For the program that uses the connection, it breaks. */
    void close() {
        try {
            socket.close();
        } catch (IOException failure) {
            LOG.debug("a forwarded connection broke while it was closed", failure);
        }
        opened.thenAccept(webSocket -> webSocket.sendClose(NORMAL, null));
        onClose.accept(this);
    }

    private void send(WebSocket webSocket) {
        byte[] chunk = new byte[1 + CHUNK_BYTES];
        chunk[0] = DATA;
        try {
            InputStream in = socket.getInputStream();
            for (int read = in.read(chunk, 1, CHUNK_BYTES); read >= 0; read = in.read(chunk, 1, CHUNK_BYTES)) {
                if (!webSocket.send(ByteBuffer.wrap(chunk, 0, 1 + read))) {
                    throw new IOException("the WebSocket has been closed");
                }
                awaitRoom(webSocket);
            }
        } catch (IOException failure) {
            LOG.debug("a forwarded connection was closed", failure);
        } finally {
            close();
        }
    }

    private void awaitRoom(WebSocket webSocket) throws IOException {
        while (webSocket.queueSize() > QUEUE_BYTES && !socket.isClosed()) {
            try {
                Thread.sleep(QUEUE_PAUSE);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", interrupted);
            }
        }
    }

    private void receive(WebSocket webSocket, ByteBuffer message) {
        try {
            take(message);
            webSocket.request();
        } catch (IOException failure) {
            LOG.debug("a forwarded connection broke", failure);
            close();
        }
    }

    private void take(ByteBuffer message) throws IOException {
        int channel = message.hasRemaining() ? message.get() : -1;
        if (channel != DATA && channel != ERROR) {
            throw new IOException("expected channel 0 or 1, got " + channel);
        }
        boolean first = !begun[channel];
        begun[channel] = true;
        if (first && isGreeting(message)) {
            return;
        }
        if (channel == ERROR) {
            throw new IOException(StandardCharsets.UTF_8.decode(message).toString());
        }
        Channels.newChannel(socket.getOutputStream()).write(message);
    }

    private boolean isGreeting(ByteBuffer message) {
        return message.remaining() == GREETING_BYTES
                && message.duplicate().order(ByteOrder.LITTLE_ENDIAN).getShort() == (short) port;
    }
}
