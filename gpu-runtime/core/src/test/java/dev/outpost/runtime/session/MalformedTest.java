package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.types.DType;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Malformed bytes of a client end its session with a reason, and no other session. */
class MalformedTest extends RuntimeTest {

    @Test
    void aFrameThatIsCutAnywhereEndsTheSession() throws InterruptedException {
        byte[] segment = new SegmentBuilder()
                .floats(1, 1, 2)
                .source("A.java:1")
                .neg(2, 1)
                .toByteArray();
        byte[] whole = new WireClient(host).next(Lane.CONTROL, new ToRuntime.RunSegment(segment).encode());
        for (int length = 0; length < whole.length; length++) {
            var client = WireClient.connected(host);
            client.raw(Arrays.copyOf(whole, length));
            assertTrue(client.end().getMessage().startsWith("malformed input: "));
            awaitIdle();
        }
    }

    @Test
    void aSegmentThatIsCutAnywhereEndsTheSession() throws InterruptedException {
        byte[] segment = new SegmentBuilder()
                .floats(1, 1, 2)
                .source("A.java:1")
                .neg(2, 1)
                .toByteArray();
        for (int length = 0; length < segment.length; length++) {
            var client = WireClient.connected(host);
            client.control(new ToRuntime.RunSegment(Arrays.copyOf(segment, length)));
            assertTrue(client.end().getMessage().startsWith("malformed input: "));
            awaitIdle();
        }
    }

    @Test
    void aSegmentWithAnyByteChangedEndsTheSessionOrRuns() throws InterruptedException {
        byte[] segment =
                new SegmentBuilder().floats(1, 1, 2).full(2, 3, 2).plus(3, 1, 2).toByteArray();
        for (int position = 0; position < segment.length; position++) {
            for (int mask : new int[] {1, 0x80, 0xff}) {
                byte[] changed = segment.clone();
                changed[position] ^= (byte) mask;
                var client = WireClient.connected(host);
                client.control(new ToRuntime.RunSegment(changed));
                client.control(ToRuntime.Request.goodbye());
                awaitIdle();
                pass(Duration.ofSeconds(31));
            }
        }
        wellFormedSessionGoesOn();
    }

    @Test
    void anotherVersionIsRefused() throws InterruptedException {
        var client = WireClient.connected(host);
        client.raw(new byte[] {9, 2, 0, 0});
        assertEquals(
                "malformed input: the frame is of protocol version 9, this side speaks " + ProtocolVersions.CURRENT,
                client.end().getMessage());
        assertEquals(0, host.sessionCount());
    }

    @Test
    void anOversizedFrameIsRefused() throws InterruptedException {
        var client = WireClient.connected(host);
        client.raw(new byte[Frame.MAX_BYTES + 1]);
        assertTrue(client.end().getMessage().contains("is over " + Frame.MAX_BYTES));
    }

    @Test
    void dataBeforeAHelloIsRefused() throws InterruptedException {
        var client = new WireClient(host);
        client.connect(true);
        client.end();
        var stranger = new WireClient(host, UUID.randomUUID());
        host.accept(stranger).onFrame(new Frame.Ack(Lane.CONTROL, 0).encode());
        assertEquals(
                "malformed input: the first frame of a connection must be a hello",
                stranger.end().getMessage());
    }

    @Test
    void anUnknownInputEndsTheSession() throws InterruptedException {
        refused(
                "malformed input: value %9 is unknown to the session",
                client -> client.run(new SegmentBuilder().neg(1, 9)));
    }

    @Test
    void anUnknownFetchOrFreeEndsTheSession() throws InterruptedException {
        refused(
                "malformed input: value %9 is unknown to the session",
                client -> client.control(new ToRuntime.Fetch(1, 9)));
        refused("malformed input: value %9 is unknown to the session", client -> client.free(9));
    }

    @Test
    void aValueThatExistsIsNotDefinedAgain() throws InterruptedException {
        refused(
                "malformed input: value %1 exists already",
                client -> {
                    client.run(new SegmentBuilder().full(1, 1, 1));
                    client.run(new SegmentBuilder().full(1, 2, 1));
                });
    }

    @Test
    void anOpThatItsOwnRuleRefusesEndsTheSession() throws InterruptedException {
        refused(
                "malformed input: the segment has an invalid op: " + "add: shapes do not broadcast, got [2] and [3]",
                client -> client.run(
                        new SegmentBuilder().full(1, 1, 2).full(2, 1, 3).plus(3, 1, 2)));
    }

    @Test
    void aMessageOfTheOtherSideEndsTheSession() throws InterruptedException {
        refused(
                "malformed input: Progress does not belong on this lane",
                client -> client.control(new ToClient.Progress(0, 0, 0, 0, 0, 0)));
        refused(
                "malformed input: Request does not belong on this lane",
                client -> client.bulk(ToRuntime.Request.goodbye()));
    }

    @Test
    void acknowledgingWhatWasNeverSentEndsTheSession() throws InterruptedException {
        refused(
                "malformed input: frame 5 is acknowledged but was never sent",
                client -> client.raw(new Frame.Ack(Lane.CONTROL, 5).encode()));
    }

    @Test
    void moreThanTheQueueHoldsEndsTheSession() throws InterruptedException {
        refused("over 4096 messages are queued: wait for reports of progress before sending more", client -> {
            client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, 4));
            for (int message = 0; message <= Limits.DEFAULT.queuedMessages() + 1; message++) {
                client.control(new ToRuntime.Fetch(1, 1));
            }
        });
    }

    @Test
    void farewellOfAClientIsCut() throws InterruptedException {
        var client = WireClient.connected(host);
        Fault fault = Fault.newBuilder()
                .setOp("x".repeat(1 << 20))
                .setMessage("y".repeat(1 << 20))
                .setSource("z".repeat(1 << 20))
                .build();
        client.raw(Frame.Connection.of(ConnectionMessages.end(fault)).encode());
        Fault end = client.end();
        assertTrue(end.getMessage().startsWith("the client ended the session: yyy"));
        assertTrue(end.getMessage().length() < 3000);
        assertEquals("", end.getSource());
    }

    @Test
    void sourceLinesAreCut() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 1 << 20).source("A".repeat(1 << 20)));
        assertTrue(client.fetchFailing(1, 1).getFault().getSource().length() < 3000);
    }

    @Test
    void aClientThatBreaksOneSessionAfterTheOtherFillsNoBooks() throws InterruptedException {
        for (int session = 0; session < 400; session++) {
            var client = WireClient.connected(host);
            client.raw(new byte[0]);
            client.end();
        }
        assertTrue(host.sessions().size() <= 260, () -> host.sessions().size() + " sessions");
        assertEquals(400, host.sessions().getLast().number());
    }

    private interface Misbehaviour {
        void by(WireClient client) throws InterruptedException;
    }

    private void refused(String reason, Misbehaviour misbehaviour) throws InterruptedException {
        var client = WireClient.connected(host);
        misbehaviour.by(client);
        assertEquals(reason, client.end().getMessage());
        assertEquals(reason, client.closed());
        awaitIdle();
        client.connect(true);
        assertEquals(reason, client.end().getMessage());
        wellFormedSessionGoesOn();
    }

    private void wellFormedSessionGoesOn() throws InterruptedException {
        var other = WireClient.connected(host);
        other.run(new SegmentBuilder().full(1, 1, 1));
        other.fetch(1, 1);
        other.goodbye();
    }
}
