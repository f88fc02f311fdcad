package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.UpdateFailed;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An update changes all of its states or none, and the client is told if it changed none. */
class GuardedUpdatesTest extends RuntimeTest {
    private static final int ROW = 1000;

    @Override
    RuntimeSettings settings() {
        return super.settings()
                .withLimits(
                        Limits.DEFAULT.withSegmentTime(Duration.ofMillis(100)).withSessions(4));
    }

    /** The state 1 minus the gradient 10 becomes the state 20; the index 2 selects the gradient. */
    private static SegmentBuilder update(SegmentBuilder segments) {
        return segments.select(10, 3, 2)
                .guard(11, 77, 10, 1)
                .add(Binary.SUB, 14, 12, 11)
                .commit(20, 13, 14)
                .drop(10)
                .drop(11)
                .drop(12)
                .drop(13)
                .drop(14)
                .drop(1);
    }

    private static SegmentBuilder states(long index) {
        return new SegmentBuilder().floats(1, 5, 6).longs(2, index, index).floats(3, 1, 2);
    }

    @Test
    void anUpdateThatHappensIsTheNewState() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(states(1));
        client.run(update(new SegmentBuilder()));
        assertArrayEquals(SegmentBuilder.bytes(3, 4), client.fetch(1, 20).bytes());
        assertEquals(List.of(), client.updates());
    }

    @Test
    void anUpdateWhoseGradientIsLostKeepsTheStateAndTellsSo() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(states(7));
        client.run(update(new SegmentBuilder()));
        assertArrayEquals(SegmentBuilder.bytes(5, 6), client.fetch(1, 20).bytes());
        client.free(2);
        client.goodbye();
        assertEquals(1, client.failures().size());
        assertEquals(List.of(failed(client.failures().getFirst())), client.updates());
        assertEquals(FaultKind.USER, FaultMessages.kind(client.failures().getFirst()));
    }

    /** The client is told by the answer at the latest, so the fault need not be reported again. */
    @Test
    void faultThatWasReadIsNotReportedAgain() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(states(7).select(10, 3, 2));
        var read = client.fetchFailing(1, 10);
        client.run(new SegmentBuilder()
                .guard(11, 77, 10, 1)
                .plus(14, 12, 11)
                .commit(20, 13, 14)
                .drop(11)
                .drop(12)
                .drop(13)
                .drop(14));
        assertArrayEquals(SegmentBuilder.bytes(5, 6), client.fetch(2, 20).bytes());
        assertEquals(0, client.goodbye().getUnseenList().size());
        assertEquals(List.of(failed(read.getFault())), client.updates());
    }

    @Test
    void anUpdateThatGoesOnInAnotherSegmentIsTheSame() throws InterruptedException {
        for (long index : new long[] {1, 7}) {
            var client = WireClient.connected(host);
            client.run(states(index));
            client.run(new SegmentBuilder().select(10, 3, 2).guard(11, 77, 10, 1));
            client.run(new SegmentBuilder().add(Binary.SUB, 14, 12, 11));
            client.run(new SegmentBuilder().commit(20, 13, 14));
            assertArrayEquals(
                    index == 1 ? SegmentBuilder.bytes(3, 4) : SegmentBuilder.bytes(5, 6),
                    client.fetch(1, 20).bytes());
            client.goodbye();
            assertEquals(index == 1 ? 0 : 1, client.updates().size());
        }
    }

    @Test
    void severalFailuresInARowForOneReasonAreToldOfOnce() throws InterruptedException {
        var client = WireClient.connected(host);
        SegmentBuilder twice = states(7).select(10, 3, 2);
        twice.guard(11, 77, 10, 1).plus(14, 12, 11).commit(20, 13, 14);
        twice.guard(21, 77, 10, 20).plus(24, 22, 21).commit(30, 23, 24);
        client.run(twice);
        assertArrayEquals(SegmentBuilder.bytes(5, 6), client.fetch(1, 30).bytes());
        client.goodbye();
        assertEquals(1, client.updates().size());
        assertEquals(2, client.updates().getFirst().getTimes());
    }

    /** No computation of an update may be refused once a part of the update was written. */
    @Test
    void anUpdateThatFindsNoRoomDoesNotBegin() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 5, ROW).full(3, 1, ROW));
        client.run(new SegmentBuilder()
                .guard(11, 77, 3, 1)
                .plus(14, 12, 11)
                .view(15, 14, new long[] {ROW, ROW}, new long[] {0, 1}, 0)
                .neg(16, 15)
                .view(17, 16, new long[] {ROW}, new long[] {1}, 0)
                .commit(20, 13, 17)
                .drop(11)
                .drop(12)
                .drop(13)
                .drop(14)
                .drop(15)
                .drop(16)
                .drop(17)
                .drop(1));
        float[] kept = new float[ROW];
        Arrays.fill(kept, 5);
        assertArrayEquals(SegmentBuilder.bytes(kept), client.fetch(1, 20).bytes());
        client.goodbye();
        assertEquals(1, client.updates().size());
        assertEquals(
                FaultKind.RESOURCES,
                FaultMessages.kind(client.updates().getFirst().getFault()));
    }

    /** A timeout before the update prevents it; a timeout during the update does not. */
    @Test
    void anUpdateThatHasBegunIsFinished() throws InterruptedException {
        engine.cost(Unary.NEG, Duration.ofMillis(400));
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 5).floats(3, 1));
        client.run(new SegmentBuilder()
                .guard(11, 77, 3, 1)
                .neg(14, 12)
                .neg(15, 14)
                .neg(16, 15)
                .commit(20, 13, 16)
                .neg(21, 20)
                .neg(22, 21)
                .guard(31, 77, 22, 20)
                .plus(34, 32, 31)
                .commit(40, 33, 34));
        assertArrayEquals(SegmentBuilder.bytes(-5), client.fetch(1, 20).bytes());
        assertArrayEquals(SegmentBuilder.bytes(-5), client.fetch(2, 40).bytes());
        client.goodbye();
        assertEquals(1, client.updates().size());
        assertTrue(
                client.updates().getFirst().getFault().getMessage().contains("over 100 ms"),
                client.updates().getFirst().getFault().getMessage());
    }

    /** The result takes the state's memory, as without a guard: nothing is copied, and no more memory is held. */
    @Test
    void theNewStateLiesWhereTheOldOneLay() throws InterruptedException {
        List<Object> made = new ArrayList<>();
        try (var counting = new EngineOnTop() {
            @Override
            public EngineBuffer allocate(DType dtype, long elements) {
                made.add(elements);
                return super.allocate(dtype, elements);
            }
        }) {
            var planned = new RuntimeHost(RuntimeContext.of(counting, Planner.of(counting), settings(), clock::get));
            var client = WireClient.connected(planned);
            client.run(new SegmentBuilder().full(1, 5, ROW).full(3, 1, ROW));
            client.fetch(1, 1);
            made.clear();
            client.run(new SegmentBuilder()
                    .guard(11, 77, 3, 1)
                    .plusNumber(14, 12, 2)
                    .add(Binary.SUB, 15, 14, 11)
                    .commit(20, 13, 15)
                    .drop(11)
                    .drop(12)
                    .drop(13)
                    .drop(14)
                    .drop(15)
                    .drop(1));
            client.fetch(2, 20);
            assertEquals(
                    List.of(),
                    made.stream()
                            .filter(elements -> elements.equals((long) ROW))
                            .toList());
            planned.close();
        }
    }

    private static UpdateFailed failed(Fault fault) {
        return UpdateFailed.newBuilder()
                .setUpdate(77)
                .setTimes(1)
                .setFault(fault)
                .build();
    }
}
