package dev.outpost.runtime.peer.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.peer.ExchangeResult;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerLostException;
import dev.outpost.runtime.peer.PeerMembers;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.peer.PeerRendezvous;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TlsPeerNetworkTest {
    private static final Duration TIMEOUT = Await.GUARD;
    private static TestIdentity identity;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        identity = TestIdentity.make(folder);
    }

    private static TlsPeerNetwork network(LocalWay local) {
        return new TlsPeerNetwork(identity.keys(), identity.sha256(), InetAddress.getLoopbackAddress(), local);
    }

    @ParameterizedTest
    @EnumSource
    void messagesArriveInOrder(LocalWay local) throws Exception {
        List<List<PeerLane>> lanes = PeerMembers.lanes(network(local), 3, TIMEOUT);
        lanes.get(2).get(0).expect(1, 7, 4 << 20);
        lanes.get(2).get(0).expect(2, 7, 0);
        lanes.get(0).get(2).expect(1, 7, 0);
        byte[] large = new byte[500_001];
        new SecureRandom().nextBytes(large);
        for (int piece = 0; piece < 5; piece++) {
            lanes.get(0).get(2).send(PeerMessage.elements(1, 0, 7, new Slice(large, piece, large.length - piece)));
        }
        lanes.get(0).get(2).send(PeerMessage.failed(2, 7, FaultMessages.of(FaultKind.USER, "nothing")));
        lanes.get(2).get(0).send(PeerMessage.elements(1, 3, 7, new Slice(new byte[] {1})));
        for (int piece = 0; piece < 5; piece++) {
            assertEquals(
                    new Slice(large, piece, large.length - piece),
                    lanes.get(2).get(0).receive(1, 0).elements());
        }
        assertEquals(
                "nothing",
                lanes.get(2).get(0).receive(2, 0).fault().orElseThrow().getMessage());
        assertArrayEquals(
                new byte[] {1}, lanes.get(0).get(2).receive(1, 3).elements().toByteArray());
        close(lanes, "the test is over");
    }

    /** Each call returns the latest state without waiting and asks for a new one. */
    @Test
    void membersTellEachOtherWhatTheyDo() throws Exception {
        List<List<PeerLane>> lanes = PeerMembers.lanes(network(LocalWay.TLS), 2, TIMEOUT);
        PeerLane asking = lanes.get(0).get(1);
        assertEquals(Optional.empty(), asking.state());
        lanes.get(1).get(0).sendState(() -> new byte[] {7});
        Await.until("the state is told", () -> asking.state().isPresent());
        assertEquals(new Slice(new byte[] {7}), asking.state().orElseThrow());
        close(lanes, "the test is over");
    }

    /** The first message of the lower rank must not overtake its welcome. */
    @RepeatedTest(40)
    void aMemberMaySendAsSoonAsItIsConnected(RepetitionInfo repetition) throws Exception {
        PeerNetwork network = network(LocalWay.values()[repetition.getCurrentRepetition() % LocalWay.values().length]);
        try (PeerRendezvous first = network.open("g", "secret", 0, 2);
                PeerRendezvous second = network.open("g", "secret", 1, 2);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<String> addresses = List.of(first.address(), second.address());
            Future<?> sending = threads.submit(() -> {
                PeerLane lane = first.connect(addresses, TIMEOUT).get(1);
                lane.send(PeerMessage.elements(1, 0, 1, new Slice(new byte[] {4})));
                return null;
            });
            PeerLane lane = second.connect(addresses, TIMEOUT).get(0);
            lane.expect(1, 1, 0);
            assertArrayEquals(new byte[] {4}, lane.receive(1, 0).elements().toByteArray());
            sending.get();
            lane.leave("the test is over");
        }
    }

    @Test
    void theReasonOfAMemberThatClosesIsTold() throws Exception {
        List<List<PeerLane>> lanes = PeerMembers.lanes(network(LocalWay.TLS), 2, TIMEOUT);
        PeerLane lane = lanes.get(0).get(1);
        lane.expect(1, 1, 0);
        lanes.get(1).get(0).send(PeerMessage.elements(1, 0, 1, new Slice(new byte[] {9})));
        lanes.get(1).get(0).leave("its session has ended");
        assertArrayEquals(new byte[] {9}, lane.receive(1, 0).elements().toByteArray());
        PeerLostException lost = assertThrows(PeerLostException.class, () -> lane.receive(1, 0));
        assertEquals("member 1 is gone: its session has ended", lost.getMessage());
    }

    @Test
    void aMemberThatSendsNothingIsNamedWithinTheTime() throws Exception {
        Await.withEnoughTime(Duration.ofSeconds(1), timeout -> {
            List<List<PeerLane>> lanes = PeerMembers.lanes(network(LocalWay.TLS), 2, timeout);
            PeerLane lane = lanes.get(0).get(1);
            lane.expect(1, 1, 0);
            PeerLostException lost = assertThrows(PeerLostException.class, () -> lane.receive(1, 0));
            assertEquals("member 1 did not come within " + timeout.toMillis() + " ms", lost.getMessage());
            close(lanes, "the test is over");
        });
    }

    /** Member 0 waits for member 1, which computes; it still learns of the failure of member 2. */
    @Test
    void theLossOfAMemberEndsTheWaitForAnotherOne() throws Exception {
        List<List<PeerLane>> lanes = PeerMembers.lanes(network(LocalWay.TLS), 3, Duration.ofMinutes(5));
        PeerGroup first = new PeerGroup("g", 0, lanes.get(0));
        PeerGroup second = new PeerGroup("g", 1, lanes.get(1));
        PeerGroup.Underway waiting = first.begin(sum(1, List.of(0, 1)), Shape.of(1), new byte[4], Optional.empty());
        // Like a killed process: its connections break without a message.
        ((SocketLane) lanes.get(2).get(0)).cutOff();
        ExchangeResult told = Await.result("member 0 is told", waiting.result());
        String text = told.fault().orElseThrow().getMessage();
        assertTrue(text.contains("member 2 is gone: the connection broke"), text);
        // Member 1 learns of it too, although its connection with member 2 is intact. It may finish exchange 1, for
        // which it may have member 0's elements already; member 0 never begins exchange 2.
        Await.result(
                "exchange 1 of member 1",
                second.begin(sum(1, List.of(0, 1)), Shape.of(1), new byte[4], Optional.empty())
                        .result());
        ExchangeResult next = Await.result(
                "exchange 2 of member 1",
                second.begin(sum(2, List.of(0, 1)), Shape.of(1), new byte[4], Optional.empty())
                        .result());
        assertTrue(next.fault().orElseThrow().getMessage().contains("member 2 is gone"), next::toString);
    }

    private static Collective sum(long number, List<Integer> members) {
        return new Collective(
                Collective.Fn.ALL_REDUCE,
                new TensorType(DType.FLOAT32, Shape.of(1)),
                members,
                Optional.empty(),
                Optional.empty(),
                number,
                1);
    }

    /** Large sums of all algorithms, over all kinds of connections. */
    @ParameterizedTest
    @CsvSource({"2, SHARED_MEMORY", "2, UNIX_SOCKET", "3, TLS", "9, SHARED_MEMORY"})
    void sumsGoOverConnections(int members, LocalWay local) throws Exception {
        int elements = 1_000_003;
        List<PeerGroup> groups = PeerMembers.groups(network(local), members, TIMEOUT);
        byte[] ones = new byte[4 * elements];
        for (int at = 0; at < ones.length; at += 4) {
            ByteBuffer.wrap(ones).order(ByteOrder.LITTLE_ENDIAN).putFloat(at, 1);
        }
        Collective sum = new Collective(
                Collective.Fn.ALL_REDUCE,
                new TensorType(DType.FLOAT32, Shape.of(elements)),
                IntStream.range(0, members).boxed().toList(),
                Optional.empty(),
                Optional.empty(),
                1,
                1);
        List<ExchangeResult> sums = PeerMembers.onAll(
                members, rank -> groups.get(rank).exchange(sum, Shape.of(elements), ones, Optional.empty()));
        for (ExchangeResult each : sums) {
            ByteBuffer result = ByteBuffer.wrap(each.elements()).order(ByteOrder.LITTLE_ENDIAN);
            for (int at = 0; at < ones.length; at += 4) {
                assertEquals(members, result.getFloat(at));
            }
        }
        groups.forEach(group -> group.close("the test is over"));
    }

    @Test
    void anAddressOfAnotherVersionIsRefusedByARemedy() throws Exception {
        try (PeerRendezvous second = network(LocalWay.TLS).open("g", "secret", 1, 2)) {
            IOException refused = assertThrows(
                    IOException.class, () -> second.connect(List.of("tls 127.0.0.1 1 00", second.address()), TIMEOUT));
            assertTrue(
                    refused.getMessage().contains("use one version on all machines of a group"), refused::getMessage);
        }
    }

    @Test
    void memberWithoutTheKeyIsRefused() throws Exception {
        try (PeerRendezvous first = network(LocalWay.TLS).open("g", "secret", 0, 2);
                PeerRendezvous second = network(LocalWay.TLS).open("g", "other", 1, 2)) {
            List<String> addresses = List.of(first.address(), second.address());
            IOException refused = assertThrows(IOException.class, () -> second.connect(addresses, TIMEOUT));
            assertTrue(refused.getMessage().contains("member 1 cannot connect with member 0"), refused.getMessage());
        }
    }

    @Test
    void anotherCertificateThanTheAddressSaysIsRefused() throws Exception {
        try (PeerRendezvous first = network(LocalWay.TLS).open("g", "secret", 0, 2);
                PeerRendezvous second = network(LocalWay.TLS).open("g", "secret", 1, 2)) {
            String wrong = first.address().replace(identity.sha256(), "00".repeat(32));
            assertThrows(IOException.class, () -> second.connect(List.of(wrong, second.address()), TIMEOUT));
        }
    }

    @Test
    void aMemberThatNeverConnectsIsNamed() throws Exception {
        try (PeerRendezvous first = network(LocalWay.TLS).open("g", "secret", 0, 2)) {
            List<String> addresses = List.of(first.address(), first.address());
            IOException late = assertThrows(IOException.class, () -> first.connect(addresses, Duration.ofMillis(100)));
            assertEquals("group g: member 1 did not connect within 100 ms", late.getMessage());
        }
    }

    private static void close(List<List<PeerLane>> lanes, String reason) {
        lanes.forEach(ofMember -> ofMember.forEach(lane -> {
            if (lane != null) {
                lane.leave(reason);
            }
        }));
    }

    @Test
    void aLocalProcessThatSaysNothingIsTurnedAwayInTime() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        PeerNetwork network = new TlsPeerNetwork(
                identity.keys(), identity.sha256(), loopback, loopback, LocalWay.SHARED_MEMORY, Duration.ofMillis(200));
        try (PeerRendezvous entrance = network.open("g", "secret", 0, 2)) {
            Path socket = PeerAddress.parse(entrance.address()).local().orElseThrow();
            PeerConnection silent = LocalSocket.connect(socket).orElseThrow();
            assertEquals(-1, silent.in().read());
        }
    }

    @Test
    void aMachineWithoutTheGrantOfTheOthersIsNoMember() throws Exception {
        PeerNetwork granted = new GrantedPeerNetwork(network(LocalWay.TLS), new byte[] {1, 2, 3});
        try (PeerRendezvous first = granted.open("g", "secret", 0, 2);
                PeerRendezvous stranger = network(LocalWay.TLS).open("g", "secret", 1, 2);
                PeerRendezvous member = granted.open("g", "secret", 1, 2);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<String> addresses = List.of(first.address(), stranger.address());
            IOException refused = assertThrows(IOException.class, () -> stranger.connect(addresses, TIMEOUT));
            assertTrue(
                    refused.getMessage().contains("it does not accept this machine as a member"), refused::getMessage);
            Future<List<PeerLane>> joined = threads.submit(() -> first.connect(addresses, TIMEOUT));
            member.connect(addresses, TIMEOUT).get(0).leave("the test is over");
            joined.get().get(1).leave("the test is over");
        }
    }
}
