package dev.outpost.runtime.peer.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.WireFormat;
import dev.outpost.runtime.peer.ExchangeResult;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerMembers;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.peer.PeerRendezvous;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two members whose connection is cut, broken or slow, at each kind of exchange. */
class ExchangeFaultTest {
    /** More than is sent to a member that has not begun. */
    private static final int ROWS = 40_000;

    private static final int COLUMNS = 4;

    private static TestIdentity identity;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        identity = TestIdentity.make(folder);
        // The first handshake of a process loads classes, which would use up time of the first test.
        Pair.connect(Await.GUARD).close();
    }

    /** Two groups that are connected over a link, and the link. */
    private record Pair(List<PeerGroup> groups, FaultyLink link) implements AutoCloseable {
        static Pair connect(Duration timeout) throws Exception {
            PeerNetwork network = new TlsPeerNetwork(
                    identity.keys(), identity.sha256(), InetAddress.getLoopbackAddress(), LocalWay.TLS);
            PeerRendezvous first = network.open("g", "secret", 0, 2);
            PeerRendezvous second = network.open("g", "secret", 1, 2);
            PeerAddress address = PeerAddress.parse(first.address());
            FaultyLink link = new FaultyLink(address.port());
            String through =
                    new PeerAddress(address.host(), link.port(), address.sha256(), Optional.empty()).toString();
            List<String> addresses = List.of(through, second.address());
            List<List<PeerLane>> lanes =
                    PeerMembers.onAll(2, rank -> (rank == 0 ? first : second).connect(addresses, timeout));
            return new Pair(List.of(new PeerGroup("g", 0, lanes.get(0)), new PeerGroup("g", 1, lanes.get(1))), link);
        }

        @Override
        public void close() throws IOException {
            groups.forEach(group -> group.close("the test is over"));
            link.close();
        }
    }

    @Test
    void aCutNetworkIsToldWithinThePatience() throws Exception {
        cut(Collective.Fn.ALL_GATHER);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(Collective.Fn.class)
    void aCutNetworkIsToldAtEachExchange(Collective.Fn fn) throws Exception {
        cut(fn);
    }

    private static void cut(Collective.Fn fn) throws Exception {
        Await.withEnoughTime(Duration.ofSeconds(1), timeout -> cut(fn, timeout));
    }

    private static void cut(Collective.Fn fn, Duration timeout) throws Exception {
        String late = " did not come within " + timeout.toMillis() + " ms";
        try (Pair pair = Pair.connect(timeout)) {
            exchange(pair, 1, Collective.Fn.ALL_REDUCE)
                    .forEach(result -> assertEquals(Optional.empty(), result.fault()));
            pair.link().become(FaultyLink.State.CUT);
            List<ExchangeResult> results = exchange(pair, 2, fn);
            List<String> texts = results.stream()
                    .map(result -> result.fault().orElseThrow().getMessage())
                    .toList();
            // The first member whose timeout ends closes its connection, which the other one may notice before its own
            // timeout.
            assertTrue(texts.stream().anyMatch(text -> text.contains(late)), texts::toString);
            for (int rank = 0; rank < 2; rank++) {
                String text = texts.get(rank);
                String other = "member " + (1 - rank);
                assertTrue(
                        text.contains(other + late) || text.contains(other + " is gone: the connection broke"), text);
            }
        }
    }

    /** Without waiting for the timeout. */
    @ParameterizedTest
    @EnumSource(Collective.Fn.class)
    void aBrokenConnectionIsToldByTheMember(Collective.Fn fn) throws Exception {
        try (Pair pair = Pair.connect(Await.GUARD)) {
            exchange(pair, 1, Collective.Fn.ALL_REDUCE);
            pair.link().breakConnections();
            List<ExchangeResult> results = exchange(pair, 2, fn);
            for (int rank = 0; rank < 2; rank++) {
                String text = results.get(rank).fault().orElseThrow().getMessage();
                assertTrue(text.contains("member " + (1 - rank) + " is gone: the connection broke"), text);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Collective.Fn.class)
    void aSlowConnectionCostsNothingButTime(Collective.Fn fn) throws Exception {
        try (Pair pair = Pair.connect(Await.GUARD)) {
            pair.link().become(FaultyLink.State.SLOW);
            for (ExchangeResult result : exchange(pair, 1, fn)) {
                assertEquals(Optional.empty(), result.fault());
            }
        }
    }

    // ---- exchanges

    private static List<ExchangeResult> exchange(Pair pair, long number, Collective.Fn fn) throws Exception {
        return PeerMembers.onAll(2, rank -> {
            Collective collective = collective(fn, rank, number);
            Shape shape = operand(fn);
            byte[] elements = new byte[Math.toIntExact(shape == null ? 0 : 4 * shape.elements())];
            return Await.result(
                    "exchange " + number + " of member " + rank,
                    pair.groups()
                            .get(rank)
                            .begin(
                                    collective,
                                    shape == null || isReceiver(fn, rank) ? null : shape,
                                    elements,
                                    Optional.empty())
                            .result());
        });
    }

    private static boolean isReceiver(Collective.Fn fn, int rank) {
        return isMove(fn) && rank == 1;
    }

    private static boolean isMove(Collective.Fn fn) {
        return fn == Collective.Fn.SEND || fn == Collective.Fn.RECEIVE;
    }

    private static Shape operand(Collective.Fn fn) {
        return switch (fn) {
            case ALL_GATHER, ALL_TO_ALL -> Shape.of(ROWS / 2, COLUMNS);
            case ALL_REDUCE, ALL_REDUCE_ROUNDED, REDUCE_SCATTER, SEND, RECEIVE -> Shape.of(ROWS, COLUMNS);
        };
    }

    private static Collective collective(Collective.Fn fn, int rank, long number) {
        List<Integer> members = List.of(0, 1);
        Optional<Split> rows = Optional.of(Split.even(0, ROWS, 2));
        Optional<Split> columns = Optional.of(Split.even(1, COLUMNS, 2));
        Optional<Split> none = Optional.empty();
        TensorType whole = floats(ROWS, COLUMNS);
        return switch (fn) {
            case ALL_REDUCE -> new Collective(fn, whole, members, none, none, number, 1);
            case ALL_REDUCE_ROUNDED -> Collective.rounded(whole, members, WireFormat.INT8, number, 1);
            case ALL_GATHER -> new Collective(fn, whole, members, rows, none, number, 1);
            case REDUCE_SCATTER -> new Collective(fn, floats(ROWS / 2, COLUMNS), members, none, rows, number, 1);
            case ALL_TO_ALL -> new Collective(fn, floats(ROWS, COLUMNS / 2), members, rows, columns, number, 1);
            case SEND, RECEIVE ->
                rank == 0
                        ? new Collective(Collective.Fn.SEND, floats(0), members, none, none, number, 1)
                        : new Collective(Collective.Fn.RECEIVE, whole, members, none, none, number, 1);
        };
    }

    private static TensorType floats(long... sizes) {
        return new TensorType(DType.FLOAT32, Shape.of(sizes));
    }
}
