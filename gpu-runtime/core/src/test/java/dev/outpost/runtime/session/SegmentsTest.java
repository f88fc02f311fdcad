package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import org.junit.jupiter.api.Test;

class SegmentsTest extends RuntimeTest {

    @Test
    void recordedValuesCanBeFetched() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder()
                .floats(1, 1, 2)
                .full(2, 10, 2)
                .plus(3, 1, 2)
                .plusNumber(4, 3, 0.5));
        var fetched = client.fetch(7, 4);
        assertEquals(7, fetched.fetch());
        assertEquals(new TensorType(DType.FLOAT32, Shape.of(2)), fetched.type());
        assertArrayEquals(SegmentBuilder.bytes(11.5f, 12.5f), fetched.bytes());
    }

    @Test
    void memoryIsHeldByWhatIsKeptAndNothingElse() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(
                new SegmentBuilder().full(1, 1, 100).neg(2, 1).neg(3, 2).drop(1).drop(2));
        var progress = client.progress(1);
        assertEquals(400, progress.liveBytes());
        assertEquals(1, progress.liveValues());
        assertEquals(3, progress.kernels());
        assertEquals(400, host.liveBytes());
    }

    @Test
    void aDyingInputDiesEvenWhenNothingUsesIt() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 100).full(2, 1, 100));
        client.run(new SegmentBuilder().neg(3, 1).drop(1).drop(2));
        assertEquals(400, client.progress(2).liveBytes());
    }

    /** Each step fits the quota only if dead values are freed: an operand and its result take 600 of 1024 KiB. */
    @Test
    void intermediatesGoAsSoonAsTheyAreUsed() throws InterruptedException {
        var client = WireClient.connected(host);
        var segments = new SegmentBuilder().full(1, 1, 300 << 8);
        for (int id = 2; id <= 20; id++) {
            segments.neg(id, id - 1).drop(id - 1);
        }
        client.run(segments.view(21, 20, new long[] {1}, new long[] {1}, 5).drop(20));
        assertArrayEquals(SegmentBuilder.bytes(-1f), client.fetch(1, 21).bytes());
    }

    @Test
    void viewsShareTheMemoryOfTheirBase() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2, 3, 4, 5, 6));
        client.run(new SegmentBuilder()
                .view(2, 1, new long[] {3, 2}, new long[] {1, 3}, 0)
                .drop(1));
        assertEquals(24, client.progress(2).liveBytes());
        assertArrayEquals(
                SegmentBuilder.bytes(1, 4, 2, 5, 3, 6), client.fetch(1, 2).bytes());
    }

    @Test
    void aViewOfAViewStartsWhereTheViewStarts() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder()
                .floats(1, 1, 2, 3, 4, 5, 6)
                .view(2, 1, new long[] {3}, new long[] {1}, 2)
                .view(3, 2, new long[] {2}, new long[] {1}, 1));
        assertArrayEquals(SegmentBuilder.bytes(4, 5), client.fetch(1, 3).bytes());
    }

    @Test
    void aViewOfAStridedViewCopiesFirst() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder()
                .floats(1, 1, 2, 3, 4, 5, 6)
                .view(2, 1, new long[] {3, 2}, new long[] {1, 3}, 0)
                .view(3, 2, new long[] {4}, new long[] {1}, 1)
                .drop(1)
                .drop(2));
        assertArrayEquals(SegmentBuilder.bytes(4, 2, 5, 3), client.fetch(1, 3).bytes());
        assertEquals(24, host.liveBytes());
    }

    @Test
    void anEqualSegmentIsPlannedOnce() throws InterruptedException {
        var client = WireClient.connected(host);
        for (int id = 1; id <= 10; id++) {
            client.run(new SegmentBuilder().full(id, id, 4));
        }
        assertEquals(1, client.progress(10).plans());
        assertEquals(1, host.stats().work().plansMade());
        assertArrayEquals(
                SegmentBuilder.bytes(10, 10, 10, 10), client.fetch(1, 10).bytes());
    }

    @Test
    void twoSessionsDoNotMeet() throws InterruptedException {
        var first = WireClient.connected(host);
        var second = WireClient.connected(host);
        first.run(new SegmentBuilder().full(1, 1, 1));
        second.run(new SegmentBuilder().full(1, 2, 1));
        assertArrayEquals(SegmentBuilder.bytes(1), first.fetch(1, 1).bytes());
        assertArrayEquals(SegmentBuilder.bytes(2), second.fetch(1, 1).bytes());
        first.free(1);
        assertArrayEquals(SegmentBuilder.bytes(2), second.fetch(2, 1).bytes());
        assertEquals(1, host.stats().work().plansMade());
    }
}
