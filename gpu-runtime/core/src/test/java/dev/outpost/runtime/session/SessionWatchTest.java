package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.session.context.Executed;
import dev.outpost.runtime.session.context.Watch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionWatchTest extends RuntimeTest {

    @Test
    void aWatchSeesWhatIsRunFromItsOpeningToItsEnd() throws InterruptedException {
        engine.cost(Unary.NEG, Duration.ofNanos(7));
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 2));
        client.progress(1);
        try (Watch watch = host.watch()) {
            client.run(new SegmentBuilder().floats(2, 5).neg(3, 1));
            client.progress(2);
            assertEquals(
                    List.of(new Executed(1, "tensor", "float32[1]", 0), new Executed(1, "neg", "float32[2]", 7)),
                    watch.drain());
            assertEquals(List.of(), watch.drain());
            watch.close();
            client.run(new SegmentBuilder().neg(4, 3));
            client.progress(3);
            assertEquals(List.of(), watch.drain());
        }
        assertFalse(runtime.observers().isAnyOpen());
    }

    @Test
    void sessionsAreToldApart() throws InterruptedException {
        try (Watch watch = host.watch()) {
            for (int session = 1; session <= 2; session++) {
                var client = WireClient.connected(host);
                client.run(new SegmentBuilder().full(1, 1, 1));
                client.progress(1);
            }
            assertEquals(
                    List.of(1L, 2L),
                    watch.drain().stream().map(Executed::session).toList());
        }
    }

    @Test
    void unreadEntriesAreDroppedOldestFirst() throws InterruptedException {
        var client = WireClient.connected(host);
        try (Watch watch = host.watch();
                Watch other = host.watch()) {
            int segments = 0;
            for (int run = 0; run < Watch.CAPACITY + 3; run += 10) {
                var segmentBuilder = new SegmentBuilder();
                for (int index = 0; index < 10; index++) {
                    segmentBuilder.full(index + 1, 1, segments + 1, index + 1).drop(index + 1);
                }
                client.run(segmentBuilder);
                client.progress(++segments);
            }
            int dropped = 10 * segments - Watch.CAPACITY;
            assertEquals(dropped, watch.dropped());
            List<Executed> seen = watch.drain();
            assertEquals(Watch.CAPACITY, seen.size());
            assertEquals(
                    "float32[" + (dropped / 10 + 1) + "," + (dropped % 10 + 1) + "]",
                    seen.getFirst().results());
            assertTrue(watch.drain().isEmpty());
            assertEquals(Watch.CAPACITY, other.drain().size());
        }
    }
}
