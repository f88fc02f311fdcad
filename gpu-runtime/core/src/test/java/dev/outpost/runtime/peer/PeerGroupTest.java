package dev.outpost.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.peer.network.LocalPeerNetwork;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeerGroupTest {
    private static final Duration TIMEOUT = Await.GUARD;
    private static final Optional<Split> NONE = Optional.empty();

    /** The part of each member, as rows of three. */
    private static float[] rows(int first, int count) {
        float[] values = new float[3 * count];
        for (int index = 0; index < values.length; index++) {
            values[index] = 3 * first + index;
        }
        return values;
    }

    @Test
    void aSumIsTakenInTheOrderOfTheMembers() throws Exception {
        // In any other order a different term would be rounded away.
        float[] terms = {1e8f, 1, -1e8f};
        List<ExchangeResult> results =
                exchange(3, rank -> of(Collective.Fn.ALL_REDUCE, Shape.of(1), rank, 3, NONE, NONE), rank ->
                        new float[] {terms[rank]});
        results.forEach(result -> assertArrayEquals(new float[] {(1e8f + 1) + -1e8f}, floats(result)));
    }

    @Test
    void aLargeSumIsTheSameOnAllMembers() throws Exception {
        int elements = 10_007;
        List<ExchangeResult> results =
                exchange(3, rank -> of(Collective.Fn.ALL_REDUCE, Shape.of(elements), rank, 3, NONE, NONE), rank -> {
                    float[] values = new float[elements];
                    for (int index = 0; index < elements; index++) {
                        values[index] = index * (rank + 1);
                    }
                    return values;
                });
        for (ExchangeResult result : results) {
            float[] sum = floats(result);
            for (int index = 0; index < elements; index++) {
                assertEquals(6f * index, sum[index], 1e-7f * 6 * index);
            }
            assertArrayEquals(results.getFirst().elements(), result.elements());
        }
    }

    @Test
    void partsOfDifferentSizesAreGathered() throws Exception {
        Optional<Split> split = Optional.of(new Split(0, List.of(0L, 2L, 2L, 5L)));
        List<ExchangeResult> results = exchange(
                3,
                rank -> of(Collective.Fn.ALL_GATHER, Shape.of(5, 3), rank, 3, split, NONE),
                rank -> rows((int) split.get().start(rank), (int) split.get().size(rank)));
        results.forEach(result -> assertArrayEquals(rows(0, 5), floats(result)));
    }

    @Test
    void columnsAreGathered() throws Exception {
        Optional<Split> split = Optional.of(new Split(1, List.of(0L, 1L, 3L)));
        List<ExchangeResult> results = exchange(
                2,
                rank -> of(Collective.Fn.ALL_GATHER, Shape.of(2, 3), rank, 2, split, NONE),
                rank -> rank == 0 ? new float[] {0, 3} : new float[] {1, 2, 4, 5});
        results.forEach(result -> assertArrayEquals(rows(0, 2), floats(result)));
    }

    @Test
    void eachMemberHasItsPartOfASum() throws Exception {
        Split split = new Split(0, List.of(0L, 1L, 3L));
        List<ExchangeResult> results = exchange(
                2,
                rank -> new Collective(
                        Collective.Fn.REDUCE_SCATTER,
                        new TensorType(DType.FLOAT32, Shape.of(split.size(rank), 3)),
                        List.of(0, 1),
                        NONE,
                        Optional.of(split),
                        1,
                        1),
                rank -> rows(0, 3));
        assertArrayEquals(new float[] {0, 2, 4}, floats(results.get(0)));
        assertArrayEquals(new float[] {6, 8, 10, 12, 14, 16}, floats(results.get(1)));
    }

    @Test
    void rowsBecomeColumns() throws Exception {
        Split rows = new Split(0, List.of(0L, 2L, 3L));
        Split columns = new Split(1, List.of(0L, 1L, 3L));
        List<ExchangeResult> results = exchange(
                2,
                rank -> allToAll(rank, rows, columns, Shape.of(3, columns.size(rank))),
                rank -> rows((int) rows.start(rank), (int) rows.size(rank)));
        assertArrayEquals(new float[] {0, 3, 6}, floats(results.get(0)));
        assertArrayEquals(new float[] {1, 2, 4, 5, 7, 8}, floats(results.get(1)));
    }

    @Test
    void cutsAreMoved() throws Exception {
        Split before = new Split(0, List.of(0L, 4L, 5L));
        Split after = new Split(0, List.of(0L, 1L, 5L));
        List<ExchangeResult> results = exchange(
                2,
                rank -> allToAll(rank, before, after, Shape.of(after.size(rank), 3)),
                rank -> rows((int) before.start(rank), (int) before.size(rank)));
        assertArrayEquals(rows(0, 1), floats(results.get(0)));
        assertArrayEquals(rows(1, 4), floats(results.get(1)));
    }

    private static Collective allToAll(int rank, Split from, Split to, Shape part) {
        return new Collective(
                Collective.Fn.ALL_TO_ALL,
                new TensorType(DType.FLOAT32, part),
                List.of(0, 1),
                Optional.of(from),
                Optional.of(to),
                1,
                1);
    }

    @Test
    void aFaultOfOneMemberTakesTheResultOfAll() throws Exception {
        Fault fault = FaultMessages.of(FaultKind.USER, "index: 7 is out of range");
        List<PeerGroup> groups = groups(3, TIMEOUT);
        List<ExchangeResult> results = onAll(
                3,
                rank -> groups.get(rank)
                        .exchange(
                                of(Collective.Fn.ALL_REDUCE, Shape.of(2000), rank, 3, NONE, NONE),
                                Shape.of(2000),
                                new byte[8000],
                                rank == 1 ? Optional.of(fault) : Optional.empty()));
        results.forEach(result -> assertEquals(Optional.of(fault), result.fault()));
        // The members are synchronized afterwards.
        List<ExchangeResult> next = onAll(
                3,
                rank -> groups.get(rank)
                        .exchange(
                                new Collective(
                                        Collective.Fn.ALL_REDUCE,
                                        new TensorType(DType.FLOAT32, Shape.of(1)),
                                        List.of(0, 1, 2),
                                        NONE,
                                        NONE,
                                        2,
                                        1),
                                Shape.of(1),
                                bytes(new float[] {rank}),
                                Optional.empty()));
        next.forEach(result -> assertArrayEquals(new float[] {3}, floats(result)));
    }

    @Test
    void membersThatRunDifferentProgramsAreTold() throws Exception {
        List<PeerGroup> groups = groups(2, TIMEOUT);
        List<ExchangeResult> results = onAll(
                2,
                rank -> groups.get(rank)
                        .exchange(
                                new Collective(
                                        Collective.Fn.ALL_REDUCE,
                                        new TensorType(DType.FLOAT32, Shape.of(1)),
                                        List.of(0, 1),
                                        NONE,
                                        NONE,
                                        1,
                                        rank),
                                Shape.of(1),
                                new byte[4],
                                Optional.empty()));
        assertTrue(
                results.stream().anyMatch(result -> text(result).contains("do not run the same program")),
                results::toString);
    }

    @Test
    void aMemberThatDoesNotComeIsNamedWithinTheTime() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(200), timeout -> {
            List<PeerGroup> groups = groups(3, timeout);
            List<ExchangeResult> results = onAll(
                    2,
                    rank -> groups.get(rank)
                            .exchange(
                                    of(Collective.Fn.ALL_REDUCE, Shape.of(1), rank, 3, NONE, NONE),
                                    Shape.of(1),
                                    new byte[4],
                                    Optional.empty()));
            String late = "member 2 did not come within " + timeout.toMillis() + " ms";
            assertTrue(results.stream().anyMatch(result -> text(result).contains(late)), results::toString);
        });
    }

    @Test
    void theReasonOfAMemberThatLeftIsTold() throws Exception {
        List<PeerGroup> groups = groups(2, TIMEOUT);
        groups.get(1).close("its machine is shut down");
        ExchangeResult result = groups.get(0)
                .exchange(
                        of(Collective.Fn.ALL_REDUCE, Shape.of(1), 0, 2, NONE, NONE),
                        Shape.of(1),
                        new byte[4],
                        Optional.empty());
        assertTrue(text(result).contains("member 1 is gone: its machine is shut down"), result::toString);
        assertEquals(FaultKind.EXTERNAL, FaultMessages.kind(result.fault().orElseThrow()));
    }

    @Test
    void memberWithoutTheKeyIsRefused() throws IOException {
        LocalPeerNetwork network = new LocalPeerNetwork();
        network.open("g", "secret", 0, 2);
        assertThrows(IOException.class, () -> network.open("g", "other", 1, 2));
        assertThrows(IOException.class, () -> network.open("g", "secret", 0, 2));
    }

    @Test
    void aGroupIsForgottenWhenAllHaveLeft() throws IOException {
        LocalPeerNetwork network = new LocalPeerNetwork();
        PeerRendezvous first = network.open("g", "secret", 0, 2);
        PeerRendezvous second = network.open("g", "secret", 1, 2);
        first.close();
        assertEquals(1, network.groups());
        second.close();
        assertEquals(0, network.groups());
    }

    // ---- exchanges that cannot be

    @Test
    void membersOnTheWrongSideOfASendAreRefused() throws Exception {
        List<PeerGroup> groups = groups(2, TIMEOUT);
        MalformedException refused = assertThrows(
                MalformedException.class,
                () -> groups.get(1)
                        .begin(
                                of(Collective.Fn.SEND, Shape.of(0), 1, 2, NONE, NONE),
                                Shape.of(1),
                                new byte[4],
                                Optional.empty()));
        assertEquals(
                "malformed input: send: expected member 0 to send and the others to receive, got member 1",
                refused.getMessage());
        assertThrows(
                MalformedException.class,
                () -> groups.get(0)
                        .begin(
                                of(Collective.Fn.RECEIVE, Shape.of(1), 0, 2, NONE, NONE),
                                null,
                                new byte[0],
                                Optional.empty()));
    }

    @Test
    void aPartOfAnotherMemberIsRefused() throws Exception {
        Optional<Split> split = Optional.of(new Split(0, List.of(0L, 2L, 5L)));
        List<PeerGroup> groups = groups(2, TIMEOUT);
        MalformedException refused = assertThrows(
                MalformedException.class,
                () -> groups.get(0)
                        .begin(
                                of(Collective.Fn.ALL_GATHER, Shape.of(5), 0, 2, split, NONE),
                                Shape.of(3),
                                new byte[12],
                                Optional.empty()));
        assertEquals(
                "malformed input: all_gather: the operand is not the part of member 0, expected 2 indices of dimension 0, got [3]",
                refused.getMessage());
        assertThrows(
                MalformedException.class,
                () -> groups.get(1)
                        .begin(
                                of(Collective.Fn.REDUCE_SCATTER, Shape.of(2), 1, 2, NONE, split),
                                Shape.of(5),
                                new byte[20],
                                Optional.empty()));
    }

    @Test
    void sidesOfASendThatDoNotFitAreTold() throws Exception {
        List<PeerGroup> groups = groups(2, TIMEOUT);
        List<ExchangeResult> results = onAll(
                2,
                rank -> rank == 0
                        ? groups.get(0)
                                .exchange(
                                        of(Collective.Fn.SEND, Shape.of(0), 0, 2, NONE, NONE),
                                        Shape.of(3),
                                        new byte[12],
                                        Optional.empty())
                        : groups.get(1)
                                .exchange(
                                        of(Collective.Fn.RECEIVE, Shape.of(4), 1, 2, NONE, NONE),
                                        null,
                                        new byte[0],
                                        Optional.empty()));
        assertTrue(text(results.get(1)).contains("member 0 sent 12 bytes, expected 16"), results::toString);
    }

    // ---- several at once

    @Test
    void exchangesOverlapAndKeepTheirResults() throws Exception {
        int count = 60;
        List<PeerGroup> groups = groups(3, TIMEOUT);
        List<List<ExchangeResult>> results = onAll(3, rank -> {
            List<PeerGroup.Underway> begun = new ArrayList<>();
            for (int number = 1; number <= count; number++) {
                int elements = number % 5 == 0 ? 100_000 : 3;
                float[] own = new float[elements];
                Arrays.fill(own, rank + number);
                Collective op = new Collective(
                        Collective.Fn.ALL_REDUCE,
                        new TensorType(DType.FLOAT32, Shape.of(elements)),
                        List.of(0, 1, 2),
                        NONE,
                        NONE,
                        number,
                        1);
                begun.add(groups.get(rank).begin(op, Shape.of(elements), bytes(own), Optional.empty()));
            }
            List<ExchangeResult> came = new ArrayList<>();
            for (PeerGroup.Underway each : begun) {
                came.add(each.await());
            }
            return came;
        });
        for (List<ExchangeResult> ofMember : results) {
            for (int number = 1; number <= count; number++) {
                assertEquals(3 + 3f * number, floats(ofMember.get(number - 1))[0]);
            }
        }
    }

    private static String text(ExchangeResult result) {
        return result.fault().map(Fault::getMessage).orElse("");
    }

    // ---- members

    private static Collective of(
            Collective.Fn fn, Shape shape, int rank, int size, Optional<Split> from, Optional<Split> to) {
        List<Integer> members = IntStream.range(0, size).boxed().toList();
        return new Collective(fn, new TensorType(DType.FLOAT32, shape), members, from, to, 1, 1);
    }

    private static List<ExchangeResult> exchange(
            int size, PeerMembers.PerMember<Collective> ops, PeerMembers.PerMember<float[]> values) throws Exception {
        List<PeerGroup> groups = groups(size, TIMEOUT);
        return onAll(size, rank -> {
            Collective op = ops.of(rank);
            float[] own = values.of(rank);
            return groups.get(rank).exchange(op, shape(op, own, rank), bytes(own), Optional.empty());
        });
    }

    private static Shape shape(Collective op, float[] own, int rank) {
        return switch (op.fn()) {
            case ALL_REDUCE -> op.type().shape();
            case REDUCE_SCATTER, ALL_TO_ALL -> Shape.of(own.length / 3, 3);
            case ALL_GATHER -> partOf(op, rank);
            default -> Shape.of(own.length);
        };
    }

    private static Shape partOf(Collective op, int rank) {
        Split split = op.from().orElseThrow();
        Shape whole = op.type().shape();
        return split.dim() == 0 ? Shape.of(split.size(rank), whole.size(1)) : Shape.of(whole.size(0), split.size(rank));
    }

    private static List<PeerGroup> groups(int size, Duration timeout) throws Exception {
        return PeerMembers.groups(new LocalPeerNetwork(), size, timeout);
    }

    private static <T> List<T> onAll(int size, PeerMembers.PerMember<T> work) throws Exception {
        return PeerMembers.onAll(size, work);
    }

    private static byte[] bytes(float[] values) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asFloatBuffer().put(values);
        return buffer.array();
    }

    private static float[] floats(ExchangeResult result) {
        assertEquals(Optional.empty(), result.fault());
        float[] values = new float[result.elements().length / 4];
        ByteBuffer.wrap(result.elements())
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer()
                .get(values);
        return values;
    }
}
