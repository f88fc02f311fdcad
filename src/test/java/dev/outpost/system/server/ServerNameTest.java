package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.AccessRefusedException;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.Lane;
import dev.outpost.channel.Trust;
import dev.outpost.provider.Endpoint;
import dev.outpost.support.tests.Await;
import dev.outpost.transport.Transports;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A client names the machine in TLS, and trusts only its certificate. */
class ServerNameTest {
    private static final String NAME = "abc123.relay.outpost.internal";
    private static final FrameListener NOBODY = new FrameListener() {
        @Override
        public void onFrame(Lane lane, byte[] frame) {}

        @Override
        public void onClosed(String reason) {}
    };

    private static Endpoint.Remote named(Endpoint.Remote machine, int port, Trust trust) {
        return new Endpoint.Remote(machine.host(), port, trust, machine.token(), Optional.of(NAME));
    }

    private static void connect(Endpoint endpoint) throws IOException {
        Transports.connector(endpoint, Await.GUARD).open(NOBODY).close();
    }

    @Test
    void theNameGoesOutInTheFirstMessage() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            CompletableFuture<String> hello = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> read(server, hello));
            Endpoint.Remote machine = RuntimeProcess.shared().remote();
            assertThrows(IOException.class, () -> connect(named(machine, server.getLocalPort(), machine.trust())));
            assertTrue(hello.join().contains(NAME), "the name is in what the client said first");
        }
    }

    private static void read(ServerSocket server, CompletableFuture<String> hello) {
        try (Socket client = server.accept()) {
            InputStream in = client.getInputStream();
            byte[] head = in.readNBytes(5);
            int length = Byte.toUnsignedInt(head[3]) << 8 | Byte.toUnsignedInt(head[4]);
            hello.complete(new String(in.readNBytes(length), StandardCharsets.ISO_8859_1));
        } catch (IOException failure) {
            hello.completeExceptionally(failure);
        }
    }

    @Test
    void theCertificateIsThePinnedOneWhateverTheNameIs() throws IOException {
        Endpoint.Remote machine = RuntimeProcess.shared().remote();
        connect(named(machine, machine.port(), machine.trust()));
        Trust.Pin other = new Trust.Pin("0".repeat(64));
        AccessRefusedException refused =
                assertThrows(AccessRefusedException.class, () -> connect(named(machine, machine.port(), other)));
        assertTrue(
                refused.getMessage()
                        .startsWith("127.0.0.1:" + machine.port() + " is not the machine that was asked for"),
                refused.getMessage());
    }

    @Test
    void aBadNameIsRefused() {
        Endpoint.Remote machine = RuntimeProcess.shared().remote();
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> new Endpoint.Remote("h", 1, machine.trust(), "t", Optional.of("a..b")));
        assertEquals(
                "server name: expected labels of letters, digits and dashes with dots between them, got \"a..b\"",
                refused.getMessage());
    }
}
