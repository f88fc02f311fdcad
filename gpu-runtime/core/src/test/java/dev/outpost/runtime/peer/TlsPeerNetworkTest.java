package dev.outpost.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.types.FaultKind;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsPeerNetworkTest {
    /** What may come before anybody asks for it. */
    private static final int AHEAD = 64 << 20;

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final char[] PASSWORD = "changeit".toCharArray();

    private static KeyManager identity;
    private static String sha256;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        Path store = folder.resolve("identity.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "m",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=test",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "changeit")
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes());
        assertEquals(0, keytool.waitFor(), said);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(Files.newInputStream(store), PASSWORD);
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        identity = managers.getKeyManagers()[0];
        byte[] hash = MessageDigest.getInstance("SHA-256")
                .digest(keys.getCertificate("m").getEncoded());
        sha256 = HexFormat.of().formatHex(hash);
    }

    private static TlsPeerNetwork network() {
        return new TlsPeerNetwork(identity, sha256, InetAddress.getLoopbackAddress(), InetAddress.getLoopbackAddress());
    }

    @Test
    void messagesArriveInOrder() throws Exception {
        List<List<PeerLane>> lanes = connected(3, PATIENCE);
        byte[] large = new byte[3_000_001];
        new SecureRandom().nextBytes(large);
        lanes.get(0).get(2).send(PeerMessage.of(1, 7, large));
        lanes.get(0).get(2).send(PeerMessage.failed(2, 7, FaultMessages.of(FaultKind.USER, "nothing")));
        lanes.get(2).get(0).send(PeerMessage.of(1, 7, new byte[] {1}));
        lanes.get(1).get(2).send(PeerMessage.of(5, 8, new byte[0]));
        PeerMessage first = lanes.get(2).get(0).receive(1024);
        assertEquals(1, first.number());
        assertEquals(7, first.program());
        assertArrayEquals(large, first.elements());
        assertEquals(
                "nothing",
                lanes.get(2).get(0).receive(1024).fault().orElseThrow().getMessage());
        assertArrayEquals(new byte[] {1}, lanes.get(0).get(2).receive(1024).elements());
        assertEquals(5, lanes.get(2).get(1).receive(1024).number());
        close(lanes, "the test is over");
    }

    /** What the lower rank sends at once must not overtake its welcome. */
    @RepeatedTest(40)
    void aMemberMaySendAsSoonAsItIsConnected() throws Exception {
        try (PeerEntrance first = network().open("g", "secret", 0, 2);
                PeerEntrance second = network().open("g", "secret", 1, 2);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<String> addresses = List.of(first.address(), second.address());
            Future<?> sending = threads.submit(() -> {
                PeerLane lane = first.connect(addresses, PATIENCE).get(1);
                lane.send(PeerMessage.of(1, 1, new byte[] {4}));
                return null;
            });
            PeerLane lane = second.connect(addresses, PATIENCE).get(0);
            assertArrayEquals(new byte[] {4}, lane.receive(1024).elements());
            sending.get();
            lane.close("the test is over");
        }
    }

    @Test
    void theReasonOfAMemberThatClosesIsTold() throws Exception {
        List<List<PeerLane>> lanes = connected(2, PATIENCE);
        lanes.get(1).get(0).send(PeerMessage.of(1, 1, new byte[] {9}));
        lanes.get(1).get(0).close("its session has ended");
        assertArrayEquals(new byte[] {9}, lanes.get(0).get(1).receive(1024).elements());
        PeerLostException lost =
                assertThrows(PeerLostException.class, () -> lanes.get(0).get(1).receive(1024));
        assertEquals("member 1 is gone: its session has ended", lost.getMessage());
    }

    @Test
    void aMemberThatSendsNothingIsNamedWithinTheTime() throws Exception {
        List<List<PeerLane>> lanes = connected(2, Duration.ofSeconds(3));
        PeerLostException lost =
                assertThrows(PeerLostException.class, () -> lanes.get(0).get(1).receive(1024));
        assertEquals("member 1 did not come within 3000 ms", lost.getMessage());
        close(lanes, "the test is over");
    }

    @Test
    void aMemberThatSendsMuchMoreThanIsExpectedIsGone() throws Exception {
        List<List<PeerLane>> lanes = connected(2, PATIENCE);
        lanes.get(1).get(0).send(PeerMessage.of(1, 1, new byte[AHEAD + 1]));
        PeerLostException lost =
                assertThrows(PeerLostException.class, () -> lanes.get(0).get(1).receive(1024));
        assertTrue(lost.getMessage().contains("sends " + (AHEAD + 1) + " bytes, expected 1024"), lost.getMessage());
        close(lanes, "the test is over");
    }

    @Test
    void aLargeMessageComesOnceItIsExpected() throws Exception {
        List<List<PeerLane>> lanes = connected(2, PATIENCE);
        lanes.get(1).get(0).send(PeerMessage.of(1, 1, new byte[] {1}));
        lanes.get(1).get(0).send(PeerMessage.of(2, 1, new byte[AHEAD]));
        assertEquals(1, lanes.get(0).get(1).receive(1).elements().length);
        assertEquals(AHEAD, lanes.get(0).get(1).receive(AHEAD).elements().length);
        close(lanes, "the test is over");
    }

    @Test
    void memberWithoutTheKeyIsRefused() throws Exception {
        try (PeerEntrance first = network().open("g", "secret", 0, 2);
                PeerEntrance second = network().open("g", "other", 1, 2)) {
            List<String> addresses = List.of(first.address(), second.address());
            IOException refused = assertThrows(IOException.class, () -> second.connect(addresses, PATIENCE));
            assertTrue(refused.getMessage().contains("member 1 cannot connect with member 0"), refused.getMessage());
        }
    }

    @Test
    void anotherCertificateThanTheAddressSaysIsRefused() throws Exception {
        try (PeerEntrance first = network().open("g", "secret", 0, 2);
                PeerEntrance second = network().open("g", "secret", 1, 2)) {
            String wrong = first.address().replace(sha256, "00".repeat(32));
            assertThrows(IOException.class, () -> second.connect(List.of(wrong, second.address()), PATIENCE));
        }
    }

    @Test
    void aMemberThatNeverConnectsIsNamed() throws Exception {
        try (PeerEntrance first = network().open("g", "secret", 0, 2)) {
            List<String> addresses = List.of(first.address(), first.address());
            IOException late = assertThrows(IOException.class, () -> first.connect(addresses, Duration.ofMillis(100)));
            assertEquals("group g: member 1 did not connect within 100 ms", late.getMessage());
        }
    }

    private static void close(List<List<PeerLane>> lanes, String reason) {
        lanes.forEach(ofMember -> ofMember.forEach(lane -> {
            if (lane != null) {
                lane.close(reason);
            }
        }));
    }

    private static List<List<PeerLane>> connected(int size, Duration patience) throws Exception {
        List<PeerEntrance> entrances = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            entrances.add(network().open("g", "secret", rank, size));
        }
        List<String> addresses = entrances.stream().map(PeerEntrance::address).toList();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<PeerLane>>> connecting = new ArrayList<>();
            for (PeerEntrance entrance : entrances) {
                connecting.add(threads.submit(() -> entrance.connect(addresses, patience)));
            }
            List<List<PeerLane>> lanes = new ArrayList<>();
            for (Future<List<PeerLane>> each : connecting) {
                lanes.add(each.get());
            }
            return lanes;
        }
    }
}
