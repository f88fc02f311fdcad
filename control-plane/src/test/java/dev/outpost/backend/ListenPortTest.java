package dev.outpost.backend;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ListenPortTest {
    @Test
    void usedPortIsRefusedWithTheRemedy() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int port = other.getLocalPort();
            String message = assertThrows(IOException.class, () -> ListenPort.requireFree("127.0.0.1", port))
                    .getMessage();
            assertTrue(message.startsWith("port: it cannot listen at 127.0.0.1:" + port + " ("), message);
            assertTrue(message.endsWith("or choose another port by --port"), message);
            assertDoesNotThrow(() -> ListenPort.requireFree("127.0.0.1", 0));
        }
    }

    @Test
    void freePortStaysFree() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            port = closed.getLocalPort();
        }
        ListenPort.requireFree("127.0.0.1", port);
        ListenPort.requireFree("127.0.0.1", port);
    }
}
