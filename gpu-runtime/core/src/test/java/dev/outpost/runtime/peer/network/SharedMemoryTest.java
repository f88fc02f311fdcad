package dev.outpost.runtime.peer.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.peer.ExchangeRun;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerLostException;
import dev.outpost.runtime.peer.PeerMembers;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests shared memory of two members on one host. */
class SharedMemoryTest {
    private static final Duration TIMEOUT = Await.GUARD;
    private static TestIdentity identity;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/dev/shm")), "this host has no /dev/shm");
        identity = TestIdentity.make(folder);
    }

    private static List<List<PeerLane>> lanes(Duration timeout) throws Exception {
        TlsPeerNetwork network = new TlsPeerNetwork(
                identity.keys(), identity.sha256(), InetAddress.getLoopbackAddress(), LocalWay.SHARED_MEMORY);
        return PeerMembers.lanes(network, 2, timeout);
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/dev/shm"))) {
            return all.filter(file -> file.getFileName().toString().startsWith("outpost-peers-"))
                    .toList();
        }
    }

    @Test
    void bytesArriveInTheirOrderManyTimesRound() throws Exception {
        SharedMemory.Made made = SharedMemory.make().orElseThrow();
        SharedMemory other = SharedMemory.open(made.file()).orElseThrow();
        made.removeName();
        Random random = new Random(1);
        byte[] bytes = new byte[ExchangeRun.PIECE_BYTES];
        random.nextBytes(bytes);
        for (int piece = 0; piece < 200; piece++) {
            int from = random.nextInt(bytes.length);
            Slice sent = new Slice(bytes, from, bytes.length - from);
            made.memory().outgoing().write(sent);
            assertEquals(sent, new Slice(other.incoming().read(sent.length())));
            other.outgoing().write(new Slice(new byte[] {(byte) piece}));
            assertArrayEquals(
                    new byte[] {(byte) piece}, made.memory().incoming().read(1));
        }
    }

    @Test
    void aWriterWaitsForRoomAndEndsWhenItIsClosed() throws Exception {
        SharedMemory.Made made = SharedMemory.make().orElseThrow();
        made.removeName();
        SharedRing ring = made.memory().outgoing();
        Slice piece = new Slice(new byte[ExchangeRun.PIECE_BYTES]);
        for (long there = 0; there < ring.capacity(); there += piece.length()) {
            ring.write(piece);
        }
        CompletableFuture<Void> writing = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                ring.write(piece);
                writing.complete(null);
            } catch (IOException failure) {
                writing.completeExceptionally(failure);
            }
        });
        made.memory().close();
        ExecutionException ended =
                assertThrows(ExecutionException.class, () -> Await.result("the writer ends", writing));
        assertEquals("the memory was closed", ended.getCause().getMessage());
    }

    @Test
    void bytesThatAreNotThereAreRefused() throws Exception {
        SharedMemory.Made made = SharedMemory.make().orElseThrow();
        made.removeName();
        assertThrows(IOException.class, () -> made.memory().incoming().read(1));
    }

    /** Only its owner may open it, and it has no name once both members have opened it. */
    @Test
    void theFileIsItsUsersAndIsGoneOnceMembersAreConnected() throws Exception {
        SharedMemory.Made made = SharedMemory.make().orElseThrow();
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made.file())));
        made.removeName();
        List<Path> before = files();
        List<List<PeerLane>> lanes = lanes(TIMEOUT);
        // Other processes may also make such files for a short time.
        Await.until("no file of the members is left", () -> before.containsAll(files()));
        lanes.forEach(own -> own.forEach(lane -> {
            if (lane != null) {
                lane.leave("the test is over");
            }
        }));
    }

    @Test
    void otherFilesAreNotOpened(@TempDir Path folder) throws Exception {
        assertTrue(SharedMemory.open(Files.createFile(folder.resolve("outpost-peers-1")))
                .isEmpty());
        assertTrue(SharedMemory.open(Path.of("/dev/shm/outpost-peers-missing")).isEmpty());
        assertTrue(SharedMemory.open(Path.of("/dev/shm/../../etc/passwd")).isEmpty());
    }

    /** The fault is reported at once, although the other member waits for room in the memory. */
    @Test
    void aMemberThatIsCutOffWhileItIsSentToIsNamed() throws Exception {
        List<List<PeerLane>> lanes = lanes(Duration.ofMinutes(5));
        PeerLane lane = lanes.get(0).get(1);
        lane.expect(1, 1, 0);
        CompletableFuture<Void> sending = new CompletableFuture<>();
        Slice piece = new Slice(new byte[ExchangeRun.PIECE_BYTES]);
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    lane.send(PeerMessage.elements(1, 0, 1, piece));
                }
            } catch (PeerLostException | InterruptedException failure) {
                sending.completeExceptionally(failure);
            }
        });
        ((SocketLane) lanes.get(1).get(0)).cutOff();
        ExecutionException lost =
                assertThrows(ExecutionException.class, () -> Await.result("the sender ends", sending));
        assertTrue(lost.getCause().getMessage().startsWith("member 1 is gone: "), lost::toString);
    }
}
