package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.types.FaultKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoisonTest extends RuntimeTest {

    /** Values 1 and 2 are valid, 3 fails, 4 and 5 depend on it. */
    private static SegmentBuilder failing() {
        return new SegmentBuilder()
                .full(1, 1, 10, 3)
                .longs(2, 0, 10)
                .select(3, 1, 2)
                .source("Train.java:17")
                .neg(4, 3)
                .plus(5, 4, 4);
    }

    @Test
    void aFaultTakesWhatComesOfItAndNothingElse() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(failing());
        var failed = client.fetchFailing(1, 5);
        assertEquals(FaultKind.USER, FaultMessages.kind(failed.getFault()));
        assertEquals("index_select", failed.getFault().getOp());
        assertEquals("Train.java:17", failed.getFault().getSource());
        assertTrue(
                failed.getFault().getMessage().startsWith("index_select: "),
                failed.getFault().getMessage());
        assertTrue(
                failed.getFault().getMessage().endsWith(" (index_select(float32[10,3], int64[2]) -> float32[2,3])"),
                failed.getFault().getMessage());
        assertEquals(List.of(3L, 4L, 5L), failed.getLostList());
        assertEquals(120, client.fetch(2, 1).bytes().length);
    }

    @Test
    void poisonTravelsIntoLaterSegments() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(failing());
        client.run(new SegmentBuilder().neg(6, 5).neg(7, 1).drop(5));
        assertEquals(List.of(3L, 4L, 6L), client.fetchFailing(1, 6).getLostList());
        assertEquals(120, client.fetch(2, 7).bytes().length);
        client.free(3, 4, 6);
        assertEquals(0, client.goodbye().getUnseenList().size());
    }

    @Test
    void valueBeyondTheQuotaNamesAskedAndFreeBytes() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 100).full(2, 1, 1_000_000).full(3, 3, 1));
        var fault = client.fetchFailing(1, 2).getFault();
        assertEquals(FaultKind.RESOURCES, FaultMessages.kind(fault));
        assertEquals(
                "full: out of memory, requested 4000000 bytes, free 1048176 of 1048576 bytes, and the segment takes 4000404 at its peak: close unneeded tensors, use scopes, or ask for more memory (full() -> float32[1000000])",
                fault.getMessage());
        assertArrayEquals(SegmentBuilder.bytes(3), client.fetch(2, 3).bytes());
    }

    @Test
    void aSizeBeyondAnyMemoryIsAFaultToo() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 1L << 62));
        assertEquals(
                FaultKind.RESOURCES,
                FaultMessages.kind(client.fetchFailing(1, 1).getFault()));
    }

    @Test
    void theFarewellTellsWhatNobodyLookedAt() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(failing());
        client.run(new SegmentBuilder().full(6, 1, 1_000_000));
        client.fetchFailing(1, 3);
        client.free(6);
        var unseen = client.goodbye().getUnseenList();
        assertEquals(1, unseen.size());
        assertEquals("full", unseen.getFirst().getOp());
        assertEquals(0, host.sessionCount());
        assertEquals(0, host.liveBytes());
    }

    @Test
    void theFarewellComesAfterAllEarlierWork() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 100_000));
        client.control(new ToRuntime.Fetch(1, 1));
        client.control(ToRuntime.Request.goodbye());
        client.take(ToClient.Fetched.class);
        for (int received = 0; received < 400_000; ) {
            received += client.take(ToClient.DownloadChunk.class).bytes().length();
        }
        client.farewell();
    }
}
