package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.channel.Lane;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.Slots;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.types.FaultKind;
import org.junit.jupiter.api.Test;

/** Tests segments that a session remembers and runs again with the stated changes. */
class RememberedSegmentsTest extends RuntimeTest {

    @Test
    void aRepeatTakesNewIdsAndNewNumbers() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2));
        SegmentBuilder before = new SegmentBuilder().plusNumber(2, 1, 10).drop(1);
        client.control(before.remember(3));
        for (int id = 3; id <= 6; id++) {
            SegmentBuilder next =
                    new SegmentBuilder().plusNumber(id, id - 1, 10 * id).drop(id - 1);
            client.control(next.repeat(3, before));
            before = next;
        }
        assertArrayEquals(SegmentBuilder.bytes(191, 192), client.fetch(1, 6).bytes());
        assertEquals(1, host.sessions().getFirst().load().liveValues());
        assertEquals(2, host.sessions().getFirst().work().plansMade());
    }

    @Test
    void theSameNumbersAreUsedAgain() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2));
        SegmentBuilder before = new SegmentBuilder().plusNumber(2, 1, 0.5);
        client.control(before.remember(0));
        client.control(new SegmentBuilder().plusNumber(3, 2, 0.5).repeat(0, before));
        assertArrayEquals(SegmentBuilder.bytes(2, 3), client.fetch(1, 3).bytes());
    }

    /** The structure is the same, because the types of inputs are not part of it. */
    @Test
    void aRepeatMayHaveInputsOfOtherShapesAndDTypes() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2).floats(2, 3, 4, 5).longs(3, 6, 7));
        SegmentBuilder first = new SegmentBuilder().neg(4, 1);
        SegmentBuilder second = new SegmentBuilder().neg(5, 2);
        SegmentBuilder third = new SegmentBuilder().neg(6, 3);
        client.control(first.remember(0));
        client.control(second.repeat(0, first));
        client.control(third.repeat(0, second));
        client.control(new SegmentBuilder().neg(7, 1).repeat(0, third));
        assertArrayEquals(SegmentBuilder.bytes(-1, -2), client.fetch(1, 4).bytes());
        assertArrayEquals(SegmentBuilder.bytes(-3, -4, -5), client.fetch(2, 5).bytes());
        assertEquals("int64[2]", client.fetch(3, 6).type().toString());
        assertArrayEquals(SegmentBuilder.bytes(-1, -2), client.fetch(4, 7).bytes());
    }

    @Test
    void aSlotHoldsWhatWasPutThereLast() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2));
        client.control(new SegmentBuilder().neg(2, 1).remember(0));
        SegmentBuilder latest = new SegmentBuilder().plus(3, 1, 2);
        client.control(latest.remember(0));
        client.control(new SegmentBuilder().plus(4, 2, 1).repeat(0, latest));
        assertArrayEquals(SegmentBuilder.bytes(0, 0), client.fetch(1, 4).bytes());
        client.control(new SegmentBuilder().plus(5, 1, 4).repeat(0, new SegmentBuilder().plus(4, 2, 1)));
        assertArrayEquals(SegmentBuilder.bytes(1, 2), client.fetch(2, 5).bytes());
    }

    @Test
    void aFaultOfARepeatNamesItsOwnLine() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2).longs(2, 1).longs(3, 7));
        SegmentBuilder fine = new SegmentBuilder().select(4, 1, 2).source("A.java:1");
        SegmentBuilder moved = new SegmentBuilder().select(5, 1, 3).source("A.java:22");
        SegmentBuilder same = new SegmentBuilder().select(6, 1, 3).source("A.java:22");
        client.control(fine.remember(0));
        client.control(moved.repeat(0, fine));
        client.control(same.repeat(0, moved));
        client.control(new SegmentBuilder().select(7, 1, 2).source("A.java:22").repeat(0, same));
        assertArrayEquals(SegmentBuilder.bytes(2), client.fetch(1, 4).bytes());
        assertEquals("A.java:22", client.fetchFailing(2, 5).getFault().getSource());
        assertEquals("A.java:22", client.fetchFailing(3, 6).getFault().getSource());
        assertArrayEquals(SegmentBuilder.bytes(2), client.fetch(4, 7).bytes());
    }

    @Test
    void rememberedSegmentsOutliveTheConnection() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2));
        SegmentBuilder first = new SegmentBuilder().plusNumber(2, 1, 10);
        SegmentBuilder second = new SegmentBuilder().plusNumber(3, 2, 20);
        SegmentBuilder third = new SegmentBuilder().plusNumber(4, 3, 30);
        client.control(first.remember(0));
        client.cut();
        byte[] lost = client.next(Lane.CONTROL, second.repeat(0, first).encode());
        client.connect(true);
        client.welcome();
        client.raw(lost);
        client.raw(lost);
        client.cut();
        client.connect(true);
        client.welcome();
        client.raw(lost);
        client.control(third.repeat(0, second));
        assertArrayEquals(SegmentBuilder.bytes(61, 62), client.fetch(1, 4).bytes());
    }

    @Test
    void anEmptySlotEndsTheSession() throws InterruptedException {
        var client = WireClient.connected(host);
        client.control(new ToRuntime.RepeatSegment(5, new byte[] {0, 0}));
        assertEquals(
                "malformed input: slot 5 remembers no segment", client.end().getMessage());
        var other = WireClient.connected(host);
        other.control(new ToRuntime.RepeatSegment(Integer.MAX_VALUE, new byte[] {0, 0}));
        assertEquals(
                "malformed input: slot 2147483647 remembers no segment",
                other.end().getMessage());
    }

    @Test
    void slotsAreTheirSessions() throws InterruptedException {
        var owner = WireClient.connected(host);
        SegmentBuilder segment = new SegmentBuilder().full(1, 1, 1);
        owner.control(segment.remember(5));
        owner.progress(1);
        var stranger = WireClient.connected(host);
        stranger.control(new SegmentBuilder().full(2, 1, 1).repeat(5, segment));
        assertEquals(
                "malformed input: slot 5 remembers no segment", stranger.end().getMessage());
        owner.control(new SegmentBuilder().full(2, 7, 1).repeat(5, segment));
        assertArrayEquals(SegmentBuilder.bytes(7), owner.fetch(1, 2).bytes());
    }

    @Test
    void thereAreSoManySlots() throws InterruptedException {
        var client = WireClient.connected(host);
        client.control(new SegmentBuilder().full(1, 1, 1).remember(Slots.COUNT - 1));
        client.control(new SegmentBuilder().full(2, 1, 1).remember(Slots.COUNT));
        assertRefused("slot 64 is over the 64 of a session: send the segment whole", client.end());
    }

    @Test
    void rememberedSegmentsHaveBoundedInstructions() throws InterruptedException {
        var client = WireClient.connected(host);
        client.control(negations(Slots.MAX_INSTRUCTIONS).remember(0));
        client.progress(1);
        client.control(negations(Slots.MAX_INSTRUCTIONS + 1).remember(1));
        assertRefused(
                "a segment to be remembered is over 4096 instructions or 262144 bytes: send the segment whole",
                client.end());
    }

    private static SegmentBuilder negations(int count) {
        SegmentBuilder segments = new SegmentBuilder().full(1, 1, 1);
        for (int id = 2; id <= count; id++) {
            segments.neg(id, id - 1);
        }
        for (int id = 1; id <= count; id++) {
            segments.drop(id);
        }
        return segments;
    }

    /** Small repeats must not add up to something large: each repeat has longer lines than the one before. */
    @Test
    void rememberedSegmentsStayWithinTheirBound() throws InterruptedException {
        var client = WireClient.connected(host);
        SegmentBuilder before = new SegmentBuilder().full(1, 1, 1).source("");
        client.control(before.remember(0));
        client.progress(1);
        SegmentBuilder longer = new SegmentBuilder().full(2, 1, 1).source("x".repeat(Slots.MAX_BYTES - 200));
        client.control(longer.repeat(0, before));
        client.progress(2);
        client.control(new SegmentBuilder()
                .full(3, 1, 1)
                .source("x".repeat(Slots.MAX_BYTES - 20))
                .repeat(0, longer));
        assertRefused(
                "a segment to be remembered is over 4096 instructions or 262144 bytes: send the segment whole",
                client.end());
    }

    private void assertRefused(String message, Fault fault) {
        assertEquals(message, fault.getMessage());
        assertEquals(FaultKind.RESOURCES, FaultMessages.kind(fault));
        assertEquals(1, host.stats().refusals(RuntimeLimit.REMEMBERED_SEGMENTS));
    }
}
