package dev.outpost.relay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.relay.name.RelayNames;
import dev.outpost.relay.name.RelaySecret;
import dev.outpost.support.tests.Await;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelayTest {
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};
    private static final int MIB = 1 << 20;

    private final RelaySecret secret = RelaySecret.draw(new SecureRandom());
    private final RelayNames names = new RelayNames(List.of(secret));
    private final EchoServer machine = EchoServer.start();
    private final String name = names.of(machine.address(), machine.port());
    private Relay relay;

    private Relay start(int connections, int perPeer, Duration hello, Duration idle) throws IOException {
        if (relay != null) {
            relay.close();
        }
        TargetNetworks loopback = TargetNetworks.parse("127.0.0.0/8");
        relay = Relay.start(
                new RelaySettings("127.0.0.1", 0, List.of(secret), loopback, connections, perPeer, hello, idle));
        return relay;
    }

    private Relay start() throws IOException {
        return start(100, 100, Await.GUARD, Await.GUARD);
    }

    @AfterEach
    void stop() {
        machine.close();
        relay.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket("127.0.0.1", relay.port());
        socket.setSoTimeout((int) Await.GUARD.toMillis());
        return socket;
    }

    private static byte[] send(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return bytes;
    }

    /** Returns the bytes until the end; a reset counts as the end. */
    private static byte[] rest(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (SocketException ignored) {
            return new byte[0];
        }
    }

    private static void assertEcho(Socket socket, byte[] sent) throws IOException {
        byte[] back = new byte[sent.length];
        new DataInputStream(socket.getInputStream()).readFully(back);
        assertArrayEquals(sent, back);
    }

    @Test
    void everyByteOfBothSidesPassesFromTheFirst() throws Exception {
        start();
        try (Socket first = connect();
                Socket second = connect();
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> one = threads.submit(() -> exchange(first, 1));
            Future<?> two = threads.submit(() -> exchange(second, 2));
            one.get();
            two.get();
        }
        assertEquals(2, machine.connections());
        Await.until("both are over", () -> relay.counters().open() == 0);
    }

    /** Sends on one thread and reads on another. */
    private Void exchange(Socket socket, int seed) throws Exception {
        byte[] hello = Hellos.naming(name);
        byte[] data = new byte[8 * MIB];
        new Random(seed).nextBytes(data);
        System.arraycopy(hello, 0, data, 0, hello.length);
        try (ExecutorService sender = Executors.newSingleThreadExecutor()) {
            Future<byte[]> sent = sender.submit(() -> send(socket, data));
            assertEcho(socket, data);
            sent.get();
        }
        return null;
    }

    @Test
    void aHelloThatComesByteByByteIsUnderstood() throws IOException {
        start();
        try (Socket socket = connect()) {
            socket.setTcpNoDelay(true);
            byte[] hello = Hellos.naming(name);
            for (byte one : hello) {
                socket.getOutputStream().write(one);
            }
            assertEcho(socket, hello);
        }
    }

    @Test
    void aNameInCapitalsIsTheSame() throws IOException {
        start();
        try (Socket socket = connect()) {
            assertEcho(socket, send(socket, Hellos.naming(name.toUpperCase(java.util.Locale.ROOT))));
        }
    }

    @Test
    void unsignedServerNameIsRefusedByAnAlert() throws IOException {
        start();
        RelayNames others = new RelayNames(List.of(RelaySecret.draw(new SecureRandom())));
        List<byte[]> hellos = List.of(
                Hellos.naming(others.of(machine.address(), machine.port())),
                Hellos.naming("machine.example.org"),
                Hellos.withoutName());
        for (byte[] hello : hellos) {
            try (Socket socket = connect()) {
                send(socket, hello);
                assertArrayEquals(UNRECOGNIZED_NAME, rest(socket));
            }
        }
        assertEquals(0, machine.connections());
        Await.until("it was counted", () -> relay.counters().refusedFor(RefusalReason.NAME) == 3);
    }

    @Test
    void anAddressOutsideOfTheNetworksIsRefusedThoughSigned() throws IOException {
        start();
        try (Socket socket = connect()) {
            send(socket, Hellos.naming(names.of(InetAddress.getByName("10.0.0.1"), 443)));
            assertArrayEquals(UNRECOGNIZED_NAME, rest(socket));
        }
        Await.until("it was counted", () -> relay.counters().refusedFor(RefusalReason.TARGET) == 1);
    }

    @Test
    void aMachineThatIsGoneEndsTheConnection() throws IOException {
        start();
        try (Socket port = new Socket();
                Socket socket = connect()) {
            // A port that is bound but not listened on, so that no other program answers there.
            port.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            send(socket, Hellos.naming(names.of(InetAddress.getLoopbackAddress(), port.getLocalPort())));
            assertEquals(0, rest(socket).length);
        }
        Await.until("it was counted", () -> relay.counters().refusedFor(RefusalReason.UNREACHABLE) == 1);
    }

    @Test
    void connectionWithoutANameIsCutInTime() throws IOException {
        start(10, 10, Duration.ofMillis(200), Await.GUARD);
        try (Socket silent = connect();
                Socket slow = connect()) {
            send(slow, Arrays.copyOf(Hellos.naming(name), 20));
            assertEquals(0, rest(silent).length);
            assertEquals(0, rest(slow).length);
        }
        Await.until("both were counted", () -> relay.counters().refusedFor(RefusalReason.SLOW) == 2);
    }

    @Test
    void aHelloWithoutEndIsCut() throws IOException {
        start();
        try (Socket socket = connect()) {
            byte[] record = new byte[5 + 16_000];
            record[0] = 22;
            record[1] = 3;
            record[2] = 1;
            record[3] = (byte) (16_000 >> 8);
            record[4] = (byte) 16_000;
            record[5] = 1;
            record[6] = 0x7f;
            try {
                for (int i = 0; i < 1000; i++) {
                    send(socket, record);
                }
            } catch (SocketException ignored) {
                // The relay is expected to close the connection.
            }
            assertEquals(0, rest(socket).length);
        }
        assertEquals(0, machine.connections());
        Await.until("it was counted", () -> relay.counters().refusedFor(RefusalReason.HELLO) == 1);
    }

    /** Whatever bytes are sent, only a signed name reaches a machine, nothing is left behind, and others are served. */
    @Test
    void changedHellosDoNoHarm() throws IOException {
        start(50, 50, Await.GUARD, Await.GUARD);
        Random random = new Random(11);
        byte[] stranger = Hellos.naming("machine.example.org");
        for (int i = 0; i < 400; i++) {
            try (Socket socket = connect()) {
                socket.setTcpNoDelay(true);
                HostileHello.draw(random, stranger).sendOn(socket);
                socket.shutdownOutput();
                byte[] answer = rest(socket);
                assertTrue(answer.length == 0 || Arrays.equals(UNRECOGNIZED_NAME, answer), Arrays.toString(answer));
            } catch (SocketException ignored) {
                // The end comes in the middle of the sent bytes.
            }
        }
        assertEquals(0, machine.connections());
        Await.until("all are over", () -> relay.counters().open() == 0);
        try (Socket socket = connect()) {
            assertEcho(socket, send(socket, Hellos.naming(name)));
        }
    }

    @Test
    void onePeerHasNoMoreConnectionsThanItMay() throws IOException {
        start(100, 2, Await.GUARD, Await.GUARD);
        try (Socket first = connect();
                Socket second = connect()) {
            assertEcho(first, send(first, Hellos.naming(name)));
            assertEcho(second, send(second, Hellos.naming(name)));
            try (Socket third = connect()) {
                assertEquals(0, rest(third).length);
            }
        }
        Await.until("all are over", () -> relay.counters().open() == 0);
        try (Socket next = connect()) {
            assertEcho(next, send(next, Hellos.naming(name)));
        }
        Await.until("it was counted", () -> relay.counters().refusedFor(RefusalReason.PEER) == 1);
    }

    @Test
    void allTogetherHaveNoMoreThanTheyMay() throws IOException {
        start(1, 10, Await.GUARD, Await.GUARD);
        try (Socket first = connect()) {
            assertEcho(first, send(first, Hellos.naming(name)));
            try (Socket second = connect()) {
                assertEquals(0, rest(second).length);
            }
        }
        Await.until("it was counted", () -> relay.counters().refusedFor(RefusalReason.FULL) == 1);
    }

    @Test
    void aConnectionOverWhichNothingPassesIsEnded() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(300), this::endAnIdleConnection);
    }

    private void endAnIdleConnection(Duration idle) throws IOException {
        start(10, 10, Await.GUARD, idle);
        try (Socket socket = connect()) {
            assertEcho(socket, send(socket, Hellos.naming(name)));
            assertEquals(0, rest(socket).length);
        }
    }

    /** A machine that does not read delays its client, and the relay buffers only a few of the waiting bytes. */
    @Test
    void unreadBytesAreNotTaken() throws Exception {
        start();
        try (ServerSocket lazy = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                Socket client = connect();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            byte[] hello = Hellos.naming(names.of(lazy.getInetAddress(), lazy.getLocalPort()));
            send(client, hello);
            int total = 256;
            AtomicLong written = new AtomicLong();
            Future<?> writing = threads.submit(() -> write(client.getOutputStream(), total, written));
            try (Socket taken = lazy.accept()) {
                awaitStandstill(written);
                assertTrue(written.get() < 64, () -> written + " MiB were taken from the client");
                assertTrue(
                        relay.counters().bytes() < 32L * MIB,
                        () -> relay.counters().bytes() + " bytes were passed");
                assertEquals(hello.length + (long) total * MIB, count(taken.getInputStream(), client, writing));
            }
        }
    }

    private static Void write(OutputStream out, int mebibytes, AtomicLong written) throws IOException {
        byte[] block = new byte[MIB];
        for (int i = 0; i < mebibytes; i++) {
            out.write(block);
            written.incrementAndGet();
        }
        return null;
    }

    private static void awaitStandstill(AtomicLong written) {
        long[] seen = {-1, System.nanoTime()};
        Await.until("the client is held up", () -> {
            if (written.get() != seen[0]) {
                seen[0] = written.get();
                seen[1] = System.nanoTime();
            }
            return System.nanoTime() - seen[1] > Duration.ofMillis(500).toNanos();
        });
    }

    private static long count(InputStream in, Socket client, Future<?> writing) throws Exception {
        byte[] block = new byte[MIB];
        long count = 0;
        long all = 256L * MIB;
        while (count < all) {
            count += in.read(block);
        }
        writing.get();
        client.shutdownOutput();
        for (int more = in.read(block); more > 0; more = in.read(block)) {
            count += more;
        }
        return count;
    }

    @Test
    void lastBytesOfAMachineArrive() throws IOException {
        start();
        byte[] last = new byte[4 * MIB];
        new Random(5).nextBytes(last);
        try (ServerSocket hasty = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                Socket client = connect()) {
            byte[] hello = Hellos.naming(names.of(hasty.getInetAddress(), hasty.getLocalPort()));
            send(client, hello);
            try (Socket taken = hasty.accept()) {
                assertEquals(hello.length, taken.getInputStream().readNBytes(hello.length).length);
                Thread.ofVirtual().start(() -> {
                    try {
                        send(taken, last);
                        taken.shutdownOutput();
                    } catch (IOException failure) {
                        throw new java.io.UncheckedIOException(failure);
                    }
                });
                assertArrayEquals(last, rest(client));
            }
        }
    }
}
