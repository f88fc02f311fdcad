package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.types.FaultKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A run that does not fit in memory is refused before anything is computed for it. */
class MemoryDryRunTest extends RuntimeTest {
    private static final int ROW = 1000;

    /** A row, its relu, and a square matrix of such rows, of 4 MB: only the row and the result of the matrix are kept. */
    private static SegmentBuilder tooLarge(SegmentBuilder segments) {
        return segments.full(1, 5, ROW)
                .add(Unary.RELU, 2, 1)
                .view(3, 2, new long[] {ROW, ROW}, new long[] {0, 1}, 0)
                .neg(4, 3)
                .source("Train.java:7")
                .add(Unary.EXP, 5, 4)
                .drop(2)
                .drop(3)
                .drop(4);
    }

    @Test
    void nothingIsComputedForWhatIsRefused() throws InterruptedException {
        engine.cost(Unary.RELU, Duration.ofNanos(1));
        engine.cost(Unary.ABS, Duration.ofNanos(1));
        var client = WireClient.connected(host);
        client.run(tooLarge(new SegmentBuilder()).add(Unary.ABS, 6, 1));
        var failed = client.fetchFailing(1, 5);
        assertEquals(FaultKind.RESOURCES, FaultMessages.kind(failed.getFault()));
        assertEquals(
                "neg: out of memory, requested 4000000 bytes, free 1044576 of 1048576 bytes, and the segment takes 8004000 "
                        + "at its peak: close unneeded tensors, use scopes, or ask for more memory "
                        + "(neg(float32[1000,1000]) -> float32[1000,1000])",
                failed.getFault().getMessage());
        assertEquals("Train.java:7", failed.getFault().getSource());
        assertEquals(List.of(Unary.ABS), engine.ran());
        assertEquals(List.of(5L), failed.getLostList());
        assertEquals(ROW * Float.BYTES, client.fetch(2, 6).bytes().length);
        client.run(new SegmentBuilder().neg(7, 1));
        assertEquals(ROW * Float.BYTES, client.fetch(3, 7).bytes().length);
        assertEquals(1, host.stats().refusals(RuntimeLimit.QUOTA));
    }

    /** Its fault names a line, which is reported when the machine is closed. */
    @Test
    void fallibleInstructionIsComputedEvenIfUnused() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder()
                .full(1, 5, ROW)
                .longs(2, 7000)
                .select(3, 1, 2)
                .view(4, 1, new long[] {ROW, ROW}, new long[] {0, 1}, 0)
                .neg(5, 4)
                .drop(3)
                .drop(4));
        assertEquals(
                FaultKind.RESOURCES,
                FaultMessages.kind(client.fetchFailing(1, 5).getFault()));
        var unseen = client.goodbye().getUnseenList();
        assertEquals(1, unseen.size());
        assertEquals("index_select", unseen.getFirst().getOp());
    }

    /** Values that die in the segment make room for later ones, even if another segment has made them. */
    @Test
    void dyingValuesMakeRoom() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 5, 200_000).view(2, 1, new long[] {1}, new long[] {1}, 0));
        client.run(new SegmentBuilder().neg(3, 2).full(4, 7, 200_000).view(5, 4, new long[] {1}, new long[] {1}, 9));
        assertEquals(
                FaultKind.RESOURCES,
                FaultMessages.kind(client.fetchFailing(1, 5).getFault()));
        client.run(new SegmentBuilder()
                .neg(6, 2)
                .drop(1)
                .drop(2)
                .full(7, 7, 200_000)
                .view(8, 7, new long[] {1}, new long[] {1}, 9));
        assertArrayEquals(SegmentBuilder.bytes(-5), client.fetch(2, 6).bytes());
        assertArrayEquals(SegmentBuilder.bytes(7), client.fetch(3, 8).bytes());
        client.free(4, 5);
        assertEquals(0, client.goodbye().getUnseenList().size());
    }

    /** A device may have less memory than sessions were granted. */
    @Test
    void aDeviceThatIsFullIsAskedBefore() throws InterruptedException {
        var full = new EngineOnTop() {
            @Override
            public long available(long bytes) {
                return Math.min(bytes, 6000);
            }
        };
        RuntimeContext small = RuntimeContext.of(full, Planner.plain(full), settings(), new AtomicLong(1)::get);
        try (var own = new RuntimeHost(small)) {
            var client = WireClient.connected(own);
            client.run(new SegmentBuilder().full(1, 5, ROW).neg(2, 1).full(3, 7, 1));
            String message = client.fetchFailing(1, 2).getFault().getMessage();
            assertTrue(
                    message.startsWith("neg: out of memory, requested 4000 bytes, free 4000 bytes of the device, and"),
                    message);
            assertArrayEquals(SegmentBuilder.bytes(7), client.fetch(2, 3).bytes());
            client.goodbye();
        }
    }
}
