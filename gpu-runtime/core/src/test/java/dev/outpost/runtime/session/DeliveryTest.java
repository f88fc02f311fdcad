package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.support.tests.Await;
import dev.outpost.types.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveryTest extends RuntimeTest {

    @Test
    void theWelcomeSaysWhatIsGranted() throws InterruptedException {
        var client = new WireClient(host);
        client.connect(false);
        var welcome = client.welcome();
        assertEquals(30_000, welcome.getLeaseMillis());
        assertEquals(QUOTA, welcome.getQuotaBytes());
        assertEquals(engine.device(), welcome.getDevice());
        assertEquals(List.of(0L, 0L), welcome.getReceivedList());
    }

    @Test
    void repeatedFramesAreExecutedOnceAndInOrder() throws InterruptedException {
        var client = WireClient.connected(host);
        List<byte[]> frames = new ArrayList<>();
        frames.add(client.next(Lane.CONTROL, run(new SegmentBuilder().full(1, 1, 1))));
        for (int id = 2; id <= 9; id++) {
            frames.add(client.next(
                    Lane.CONTROL,
                    run(new SegmentBuilder().plusNumber(id, id - 1, id).drop(id - 1))));
        }
        frames.forEach(client::raw);
        frames.forEach(client::raw);
        assertArrayEquals(SegmentBuilder.bytes(45), client.fetch(1, 9).bytes());
        assertEquals(4, host.liveBytes());
    }

    @Test
    void aGapEndsTheSession() throws InterruptedException {
        var client = WireClient.connected(host);
        client.next(Lane.CONTROL, new ToRuntime.Fetch(1, 1).encode());
        client.raw(client.next(Lane.CONTROL, new ToRuntime.Fetch(2, 1).encode()));
        String problem = client.end().getMessage();
        assertTrue(problem.contains("frame 2 came in place of 1"), problem);
        awaitIdle();
    }

    @Test
    void aSessionOutlivesItsConnection() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 7, 1));
        client.progress(1);
        client.cut();
        byte[] lost = client.next(Lane.CONTROL, new ToRuntime.Fetch(1, 1).encode());
        client.connect(true);
        assertEquals(List.of(1L, 0L), client.welcome().getReceivedList());
        client.raw(lost);
        assertArrayEquals(
                SegmentBuilder.bytes(7), client.take(ToClient.Fetched.class).bytes());
    }

    @Test
    void anAnswerThatTheCutTookIsSentAgain() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 7, 1));
        client.progress(1);
        byte[] fetch = client.next(Lane.CONTROL, new ToRuntime.Fetch(1, 1).encode());
        client.cut();
        client.connect(true);
        client.welcome();
        client.raw(fetch);
        client.cut();
        client.connect(true);
        assertArrayEquals(
                SegmentBuilder.bytes(7), client.take(ToClient.Fetched.class).bytes());
    }

    @Test
    void aNewerConnectionTakesOver() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 7, 1));
        client.progress(1);
        client.connect(true);
        client.welcome();
        assertEquals("a newer connection of the session took over", client.closed());
        assertArrayEquals(SegmentBuilder.bytes(7), client.fetch(1, 1).bytes());
    }

    @Test
    void aClientThatLostItsWelcomeMayBeginAgain() throws InterruptedException {
        var client = WireClient.connected(host);
        client.connect(false);
        client.welcome();
        assertEquals(1, host.sessionCount());
        client.run(new SegmentBuilder().full(1, 7, 1));
        client.progress(1);
        client.connect(false);
        assertEquals("the session exists already", client.end().getMessage());
        assertEquals(1, host.sessionCount());
    }

    @Test
    void aFarewellThatTheCutTookIsSentAgain() throws InterruptedException {
        var client = WireClient.connected(host);
        byte[] goodbye = client.next(Lane.CONTROL, ToRuntime.Request.goodbye().encode());
        client.cut();
        client.connect(true);
        client.welcome();
        client.raw(goodbye);
        client.cut();
        awaitIdle();
        client.connect(true);
        client.farewell();
    }

    @Test
    void anUnknownSessionCannotBeResumed() throws InterruptedException {
        var client = new WireClient(host);
        client.connect(true);
        var fault = client.end();
        assertEquals(FaultKind.EXTERNAL, FaultMessages.kind(fault));
        assertEquals(
                "the machine does not know the session: it was restarted, or the lease ran out", fault.getMessage());
    }

    @Test
    void aSessionThatIsNotHeardOfEndsWithItsLease() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 7, 1));
        client.progress(1);
        client.cut();
        pass(Duration.ofSeconds(29));
        Thread.sleep(30);
        assertEquals(1, host.sessionCount());
        pass(Duration.ofSeconds(2));
        awaitIdle();
        client.connect(true);
        assertTrue(client.end().getMessage().startsWith("the lease ran out: "));
        pass(Duration.ofSeconds(31));
        Await.until("the session is forgotten", () -> {
            client.connect(true);
            return client.end().getMessage().startsWith("the machine does not know the session: ");
        });
    }

    @Test
    void thereAreOnlySoManySessions() throws InterruptedException {
        for (int session = 0; session < 4; session++) {
            WireClient.connected(host);
        }
        var client = new WireClient(host);
        client.connect(false);
        assertEquals(
                "the machine serves 4 sessions already: close a session, or ask for another machine",
                client.end().getMessage());
    }

    @Test
    void aRuntimeThatClosesSaysSo() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 7, 1));
        host.close();
        assertEquals("the machine was shut down", client.end().getMessage());
    }

    private static byte[] run(SegmentBuilder segments) {
        return new ToRuntime.RunSegment(segments.toByteArray()).encode();
    }
}
