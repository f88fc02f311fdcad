package dev.outpost.runtime.peer.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.peer.PeerRendezvous;
import dev.outpost.support.tests.Await;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests bytes that no correct member sends, at the port of a member and from a member. */
class HostilePeerBytesTest {
    private static final Duration TIMEOUT = Await.GUARD;
    private static TestIdentity identity;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        identity = TestIdentity.make(folder);
    }

    private static TlsPeerNetwork network(LocalWay local) {
        return new TlsPeerNetwork(identity.keys(), identity.sha256(), InetAddress.getLoopbackAddress(), local);
    }

    private static Socket stranger(PeerRendezvous entrance) throws IOException {
        PeerAddress address = PeerAddress.parse(entrance.address());
        return new Socket(address.host(), address.port());
    }

    private static void connectBoth(PeerRendezvous first, PeerRendezvous second) throws Exception {
        List<String> addresses = List.of(first.address(), second.address());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<PeerLane>> lanes = threads.submit(() -> first.connect(addresses, TIMEOUT));
            second.connect(addresses, TIMEOUT).get(0).leave("the test is over");
            assertNotNull(Await.result("member 0 is connected", lanes).get(1));
        }
    }

    /** More connections than an address may have: each closes the oldest of them, and not that of the member. */
    @Test
    void strangersThatSayNothingAreFewAndKeepNoMemberOut() throws Exception {
        int many = 2 * (Greetings.MORE_OF_AN_ADDRESS + 2);
        List<Socket> strangers = new ArrayList<>();
        try (PeerRendezvous first = network(LocalWay.TLS).open("g", "secret", 0, 2);
                PeerRendezvous second = network(LocalWay.TLS).open("g", "secret", 1, 2)) {
            for (int stranger = 0; stranger < many; stranger++) {
                strangers.add(stranger(first));
            }
            for (Socket drivenOut : strangers.subList(0, many / 2)) {
                assertEquals(-1, drivenOut.getInputStream().read());
            }
            connectBoth(first, second);
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    /** Single bytes do not extend the time for a greeting: the limit applies to the whole greeting. */
    @Test
    void strangerThatTricklesIsTurnedAwayInTime() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        PeerNetwork network = new TlsPeerNetwork(
                identity.keys(), identity.sha256(), loopback, loopback, LocalWay.TLS, Duration.ofMillis(300));
        try (PeerRendezvous entrance = network.open("g", "secret", 0, 2);
                Socket slow = stranger(entrance)) {
            // Announces a TLS record of 16 KB, which takes half an hour at this rate.
            slow.getOutputStream().write(new byte[] {22, 3, 1, 0x40, 0});
            Thread trickle = Thread.ofVirtual().start(() -> trickle(slow));
            Await.ended("the connection is closed", trickle);
        }
    }

    private static void trickle(Socket slow) {
        try {
            while (true) {
                slow.getOutputStream().write(1);
                Thread.sleep(100);
            }
        } catch (IOException | InterruptedException ignored) {
            // This is expected.
        }
    }

    @Test
    void randomBytesAtThePortKeepNoMemberOut() throws Exception {
        Random random = new Random(46);
        try (PeerRendezvous first = network(LocalWay.TLS).open("g", "secret", 0, 2);
                PeerRendezvous second = network(LocalWay.TLS).open("g", "secret", 1, 2)) {
            for (int round = 0; round < 300; round++) {
                try (Socket stranger = stranger(first)) {
                    byte[] bytes = new byte[random.nextInt(200)];
                    random.nextBytes(bytes);
                    if (bytes.length > 5 && random.nextBoolean()) {
                        // Begins like a TLS record.
                        bytes[0] = 22;
                        bytes[1] = 3;
                        bytes[2] = 3;
                    }
                    stranger.getOutputStream().write(bytes);
                } catch (IOException ignored) {
                    // The connection may be closed at any byte.
                }
            }
            connectBoth(first, second);
        }
    }

    /** An invalid file name once ended the thread that admits connections, and the connection was never closed. */
    @Test
    void memberThatOffersMemoryByANameThatCanBeNoneIsTurnedAway() throws Exception {
        try (PeerRendezvous entrance = network(LocalWay.SHARED_MEMORY).open("g", "secret", 0, 2)) {
            Path socket = PeerAddress.parse(entrance.address()).local().orElseThrow();
            PeerConnection member = LocalSocket.connect(socket).orElseThrow();
            DataOutputStream out = new DataOutputStream(member.out());
            out.writeInt("g secret".length());
            out.writeBytes("g secret");
            out.writeInt(1 | 1 << 30);
            out.writeInt(1);
            out.writeByte(0);
            out.flush();
            assertEquals(1, member.in().read());
            assertEquals(-1, member.in().read());
        }
    }

    /** The client of a session chooses the address, and the bytes sent there begin like messages to a key agent. */
    @Test
    void addressLeadsToNoOtherSocketOfTheUser(@TempDir Path folder) throws Exception {
        Path open = Files.createDirectory(folder.resolve("outpost-peers-open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path agent = folder.resolve("s");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                ServerSocketChannel inOpenFolder = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(agent));
            inOpenFolder.bind(UnixDomainSocketAddress.of(open.resolve("s")));
            Path own = Files.createTempDirectory("outpost-peers-");
            Files.createSymbolicLink(own.resolve("s"), agent);
            Path linked = folder.resolve("outpost-peers-link");
            Files.createSymbolicLink(linked, folder);
            for (Path said : List.of(agent, open.resolve("s"), own.resolve("s"), linked.resolve("s"), Path.of("s"))) {
                assertEquals(Optional.empty(), LocalSocket.connect(said), said::toString);
            }
            Files.delete(own.resolve("s"));
            Files.delete(own);
        }
    }

    // ---- from a member

    /** Whatever the member sends, its lane ends with a reason, and nothing waits for it forever. */
    @Test
    void randomMessagesOfAMemberEndItsLane() throws Exception {
        Random random = new Random(47);
        for (int round = 0; round < 400; round++) {
            CompletableFuture<String> reason = new CompletableFuture<>();
            SocketLane lane = lane(new ByteArrayInputStream(messages(random)), Optional.empty());
            lane.expect(1, 1, 1 << 16);
            lane.whenBroken(reason::complete);
            assertTrue(Await.result("the lane ends", reason).startsWith("member 1 "), reason::join);
        }
    }

    /** Some well-formed messages with numbers at the limits, and then a malformed one. */
    private static byte[] messages(Random random) throws IOException {
        long[] numbers = {0, 1, -1, 2, Long.MAX_VALUE, Long.MIN_VALUE, random.nextLong()};
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (int message = random.nextInt(40); message > 0; message--) {
            int kind = new int[] {0, 1, 2, 5, 6, 7, 8, random.nextInt(256)}[random.nextInt(8)];
            out.writeByte(kind == 3 || kind == 4 ? 0 : kind);
            out.writeLong(numbers[random.nextInt(numbers.length)]);
            out.writeLong(numbers[random.nextInt(numbers.length)]);
            if (kind == 1 || kind == 6) {
                out.writeInt((int) numbers[random.nextInt(numbers.length)]);
            }
            if (kind == 1 || kind == 2 || kind == 5 || kind == 6 || kind == 8) {
                byte[] body = new byte[random.nextInt(64)];
                random.nextBytes(body);
                out.writeInt(random.nextInt(8) == 0 ? random.nextInt() : body.length);
                out.write(body);
            }
        }
        return bytes.toByteArray();
    }

    private static SocketLane lane(ByteArrayInputStream in, Optional<SharedMemory> memory) {
        return new SocketLane(new PeerConnection(in, OutputStream.nullOutputStream(), memory, () -> {}), 1, TIMEOUT);
    }

    /** The other process can cut the shared memory short. A read then throws an Error, which once ended the reader without a message. */
    @Test
    void memberThatCutsTheMemoryShortIsNamed() throws Exception {
        SharedMemory.Made made = SharedMemory.make().orElseThrow();
        try (FileChannel file = FileChannel.open(made.file(), StandardOpenOption.WRITE)) {
            file.truncate(0);
        } finally {
            made.removeName();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(6);
        out.writeLong(1);
        out.writeLong(1);
        out.writeInt(0);
        out.writeInt(4096);
        SocketLane lane = lane(new ByteArrayInputStream(bytes.toByteArray()), Optional.of(made.memory()));
        CompletableFuture<String> reason = new CompletableFuture<>();
        lane.whenBroken(reason::complete);
        assertTrue(reasonOf(reason).startsWith("member 1 is gone: the connection broke"), () -> reason.join());
    }

    private static String reasonOf(CompletableFuture<String> reason) throws InterruptedException, ExecutionException {
        return Await.result("the lane is broken", reason);
    }
}
