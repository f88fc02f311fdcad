package dev.outpost.relay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.relay.name.RelayNames;
import dev.outpost.relay.name.RelaySecret;
import dev.outpost.support.tests.Await;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Clients behind a load balancer that sends the PROXY protocol. */
class ProxyHeaderTest {
    private final RelaySecret secret = RelaySecret.draw(new SecureRandom());
    private final RelayNames names = new RelayNames(List.of(secret));

    private Relay start(boolean readsHeaders) throws IOException {
        TargetNetworks loopback = TargetNetworks.parse("127.0.0.0/8");
        return Relay.start(new RelaySettings(
                "127.0.0.1",
                0,
                List.of(secret),
                loopback,
                1000,
                2,
                Await.GUARD,
                Await.GUARD,
                Optional.of(loopback),
                readsHeaders));
    }

    private static Socket send(Relay relay, String header, byte[] hello) throws IOException {
        Socket socket = new Socket("127.0.0.1", relay.port());
        socket.setSoTimeout((int) Await.GUARD.toMillis());
        socket.getOutputStream().write(header.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(hello);
        return socket;
    }

    private static String header(String address) {
        return "PROXY TCP4 " + address + " 192.0.2.254 4711 8443\r\n";
    }

    private static void assertEcho(Socket socket, byte[] sent) throws IOException {
        byte[] back = new byte[sent.length];
        new DataInputStream(socket.getInputStream()).readFully(back);
        assertArrayEquals(sent, back);
    }

    @Test
    void twoHundredClientsBehindOneRelayPass() throws IOException {
        try (EchoServer machine = EchoServer.start();
                Relay relay = start(true)) {
            byte[] hello = Hellos.naming(names.of(machine.address(), machine.port()));
            List<Socket> clients = new ArrayList<>();
            for (int client = 0; client < 200; client++) {
                clients.add(send(relay, header("192.0.2." + client), hello));
                assertEcho(clients.get(client), hello);
            }
            clients.add(send(relay, header("192.0.2.1"), hello));
            assertEcho(clients.getLast(), hello);
            try (Socket third = send(relay, header("192.0.2.1"), hello)) {
                assertEquals(-1, read(third));
            }
            assertEquals(1, relay.counters().refusedFor(RefusalReason.PEER));
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    /** A load balancer may reach the relay through a socket of Unix, whose addresses are paths. */
    @Test
    void pathOfASocketIsNoAddress() throws IOException {
        ByteBuffer header = ByteBuffer.allocate(16 + 216)
                .put(new byte[] {0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A})
                .put(new byte[] {0x21, 0x31})
                .putShort((short) 216)
                .put("name.invalid".getBytes(StandardCharsets.US_ASCII));
        try (EchoServer machine = EchoServer.start();
                Relay relay = start(true)) {
            byte[] hello = Hellos.naming(names.of(machine.address(), machine.port()));
            byte[] sent = ByteBuffer.allocate(header.capacity() + hello.length)
                    .put(header.array())
                    .put(hello)
                    .array();
            for (int count = 0; count < 3; count++) {
                try (Socket client = send(relay, "", sent)) {
                    assertEcho(client, hello);
                }
            }
        }
    }

    private static int read(Socket socket) {
        try {
            return socket.getInputStream().read();
        } catch (IOException ignored) {
            return -1;
        }
    }

    @Test
    void withoutHeadersOnlyTheTotalApplies() throws IOException {
        try (EchoServer machine = EchoServer.start();
                Relay relay = start(false)) {
            byte[] hello = Hellos.naming(names.of(machine.address(), machine.port()));
            List<Socket> clients = new ArrayList<>();
            for (int client = 0; client < 20; client++) {
                clients.add(send(relay, "", hello));
                assertEcho(clients.get(client), hello);
            }
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void whatIsNoHeaderIsRefused() throws IOException {
        try (EchoServer machine = EchoServer.start();
                Relay relay = start(true);
                Socket client = send(relay, "", Hellos.naming(names.of(machine.address(), machine.port())))) {
            assertEquals(-1, read(client));
            // Netty closes the connection before it reports the refusal.
            Await.until("the refusal is counted", () -> relay.counters().refusedFor(RefusalReason.HELLO) > 0);
        }
    }
}
