package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.tests.Await;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A peer that opens calls and resets each at once: handmade HTTP/2 frames without TLS. */
class RapidResetTest {
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int GO_AWAY = 7;
    private static final int ENHANCE_YOUR_CALM = 11;
    private static final int END_OF_HEADERS = 4;

    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = ServerTuning.apply(
                        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    @Test
    void resetsAreBounded() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
            socket.setSoTimeout((int) Await.GUARD.toMillis());
            socket.getOutputStream().write(attack(1000));
            assertEquals(ENHANCE_YOUR_CALM, reasonToGo(new DataInputStream(socket.getInputStream())));
        }
    }

    private static byte[] attack(int calls) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        frame(out, SETTINGS, 0, 0, new byte[0]);
        for (int call = 0; call < calls; call++) {
            frame(out, HEADERS, END_OF_HEADERS, 2 * call + 1, head());
            frame(out, RESET, 0, 2 * call + 1, new byte[] {0, 0, 0, 8});
        }
        return bytes.toByteArray();
    }

    /** The headers of a call: two of the static table, and literals that are not added to a table. */
    private static byte[] head() throws IOException {
        var bytes = new ByteArrayOutputStream();
        bytes.write(0x83);
        bytes.write(0x86);
        literal(bytes, ":path", "/a.B/c");
        literal(bytes, ":authority", "localhost");
        literal(bytes, "te", "trailers");
        literal(bytes, "content-type", "application/grpc");
        return bytes.toByteArray();
    }

    private static void literal(ByteArrayOutputStream out, String name, String value) {
        out.write(0);
        for (String text : new String[] {name, value}) {
            out.write(text.length());
            out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
            throws IOException {
        out.writeByte(payload.length >> 16);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
    }

    /** The error code of the server's last frame; -1 if it sent none. */
    private static int reasonToGo(DataInputStream in) throws IOException {
        int reason = -1;
        try {
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                in.skipNBytes(5);
                byte[] payload = in.readNBytes(length);
                if (type == GO_AWAY) {
                    reason = payload[7];
                }
            }
        } catch (EOFException | SocketException | SocketTimeoutException ignored) {
            return reason;
        }
    }
}
