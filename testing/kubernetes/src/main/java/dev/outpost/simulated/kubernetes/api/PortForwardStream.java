package dev.outpost.simulated.kubernetes.api;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.NetSocket;

/**
 * A forwarded connection: the bytes of a TCP connection as messages whose first byte is a channel, 0 for data and 1 for
 * errors. Either channel begins with the port, in two bytes.
 */
final class PortForwardStream {
    private static final byte DATA = 0;
    private static final byte ERROR = 1;

    private final ServerWebSocket client;
    private final NetSocket pod;

    private PortForwardStream(ServerWebSocket client, NetSocket pod) {
        this.client = client;
        this.pod = pod;
    }

    /** Sends the reason why the pod is unreachable, and ends. */
    static void refuse(ServerWebSocket client, int port, String why) {
        announce(client, port);
        client.writeBinaryMessage(Buffer.buffer().appendByte(ERROR).appendString(why));
        client.close();
    }

    static void bridge(ServerWebSocket client, int port, NetSocket pod) {
        announce(client, port);
        new PortForwardStream(client, pod).start();
    }

    private static void announce(ServerWebSocket client, int port) {
        client.writeBinaryMessage(Buffer.buffer().appendByte(DATA).appendUnsignedShortLE(port));
        client.writeBinaryMessage(Buffer.buffer().appendByte(ERROR).appendUnsignedShortLE(port));
    }

    private void start() {
        client.binaryMessageHandler(this::toPod);
        client.drainHandler(ignored -> pod.resume());
        client.closeHandler(ignored -> pod.close());
        pod.handler(this::toClient);
        pod.drainHandler(ignored -> client.resume());
        pod.closeHandler(ignored -> client.close());
        client.resume();
    }

    private void toPod(Buffer message) {
        if (message.length() > 1 && message.getByte(0) == DATA) {
            pod.write(message.slice(1, message.length()));
            if (pod.writeQueueFull()) {
                client.pause();
            }
        }
    }

    private void toClient(Buffer bytes) {
        client.writeBinaryMessage(
                Buffer.buffer(bytes.length() + 1).appendByte(DATA).appendBuffer(bytes));
        if (client.writeQueueFull()) {
            pod.pause();
        }
    }
}
