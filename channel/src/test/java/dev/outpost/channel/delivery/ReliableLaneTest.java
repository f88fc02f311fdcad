package dev.outpost.channel.delivery;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.channel.FrameOutput;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A single lane: its window, its end, and the frames that it refuses. */
@Tag("quick")
class ReliableLaneTest {
    private static final int WINDOW = 100;

    private final List<byte[]> delivered = new ArrayList<>();
    private final List<Frame> sent = new ArrayList<>();
    private long now;
    private final ReliableLane lane =
            new ReliableLane(Lane.BULK, WINDOW, payload -> delivered.add(payload.toByteArray()), () -> now);

    @Test
    void aFullWindowBlocksUntilAnAcknowledgement() throws InterruptedException {
        lane.send(new byte[60]);
        BlockedSender sender = BlockedSender.start(lane, new byte[41]);
        lane.onAck(new Frame.Ack(Lane.BULK, 1));
        sender.join();
        assertEquals(null, sender.failure());
        assertEquals(41, lane.pendingBytes());
    }

    @Test
    void anOutputThatIsNotReadyBlocksUntilItIs() throws InterruptedException {
        SlowOutput slow = new SlowOutput();
        lane.attach(slow, 0);
        BlockedSender sender = BlockedSender.start(lane, new byte[1]);
        slow.ready = true;
        lane.ready();
        sender.join();
        assertEquals(null, sender.failure());
        assertEquals(1, lane.framesSent());
    }

    @Test
    void anOutputThatIsGoneBlocksNobody() throws InterruptedException {
        lane.attach(new SlowOutput(), 0);
        BlockedSender sender = BlockedSender.start(lane, new byte[1]);
        lane.detach();
        sender.join();
        assertEquals(null, sender.failure());
        assertEquals(1, lane.pendingBytes());
    }

    private static final class SlowOutput implements FrameOutput {
        volatile boolean ready;

        @Override
        public void send(Lane lane, byte[] frame) {}

        @Override
        public boolean isReady(Lane lane) {
            return ready;
        }
    }

    @Test
    void aBodyIsReleasedOnceItIsAcknowledgedOrTheLaneEnds() throws InterruptedException {
        List<String> released = new ArrayList<>();
        lane.send(new Payload(new byte[1], new NamedBody("first", released)));
        lane.send(new Payload(new byte[1], new NamedBody("second", released)));
        assertEquals(List.of(), released);
        lane.onAck(new Frame.Ack(Lane.BULK, 1));
        assertEquals(List.of("first"), released);
        lane.end(ReliableLane.closed());
        assertEquals(List.of("first", "second"), released);
    }

    private record NamedBody(String name, List<String> released) implements Body {
        @Override
        public int length() {
            return 3;
        }

        @Override
        public void copyTo(byte[] target, int at) {
            Arrays.fill(target, at, at + 3, (byte) 0);
        }

        @Override
        public void release() {
            released.add(name);
        }
    }

    @Test
    void messagesWithinTheWindowDoNotBlock() throws InterruptedException {
        lane.send(new byte[60]);
        lane.send(new byte[40]);
        assertEquals(WINDOW, lane.pendingBytes());
    }

    @Test
    void dataAcknowledgesToo() throws InterruptedException {
        lane.send(new byte[60]);
        BlockedSender sender = BlockedSender.start(lane, new byte[60]);
        lane.onData(new Frame.Data(Lane.BULK, 1, 1, new byte[0]));
        sender.join();
        assertEquals(60, lane.pendingBytes());
    }

    @Test
    void messageLargerThanTheWindowTravelsAlone() throws InterruptedException {
        lane.send(new byte[WINDOW + 1]);
        BlockedSender sender = BlockedSender.start(lane, new byte[1]);
        lane.onAck(new Frame.Ack(Lane.BULK, 1));
        sender.join();
        assertEquals(1, lane.pendingBytes());
    }

    /** Otherwise a sender of tiny payloads would store any number of them. */
    @Test
    void theWindowCountsFramesToo() throws InterruptedException {
        for (int frame = 0; frame < Outgoing.MAX_FRAMES; frame++) {
            lane.send(new byte[0]);
        }
        BlockedSender sender = BlockedSender.start(lane, new byte[0]);
        lane.onAck(new Frame.Ack(Lane.BULK, 1));
        sender.join();
        assertEquals(null, sender.failure());
    }

    @Test
    void sendNowDisregardsTheWindow() throws InterruptedException {
        lane.send(new byte[WINDOW]);
        lane.sendNow(new byte[10]);
        assertEquals(WINDOW + 10, lane.pendingBytes());
    }

    @Test
    void theEndWakesWaitingSendersWithTheReason() throws InterruptedException {
        lane.send(new byte[WINDOW]);
        BlockedSender first = BlockedSender.start(lane, new byte[1]);
        BlockedSender second = BlockedSender.start(lane, new byte[1]);
        OutpostException reason = new OutpostException(FaultKind.RESOURCES, "the quota is spent");
        lane.end(reason);
        for (BlockedSender sender : List.of(first, second)) {
            sender.join();
            assertReason(reason, sender.failure());
        }
    }

    @Test
    void afterTheEndTheFirstReasonIsGiven() {
        OutpostException reason = new OutpostException(FaultKind.EXTERNAL, "the machine is gone");
        lane.end(reason);
        lane.end(ReliableLane.closed());
        assertReason(reason, assertThrows(OutpostException.class, () -> lane.send(new byte[1])));
        lane.sendNow(new byte[1]);
        assertEquals(0, lane.pendingBytes());
    }

    private static void assertReason(OutpostException reason, Throwable failure) {
        OutpostException actual = assertInstanceOf(OutpostException.class, failure);
        assertEquals(reason.getMessage(), actual.getMessage());
        assertEquals(reason.kind(), actual.kind());
        assertSame(reason, actual.getCause());
    }

    @Test
    void aWaitingSenderCanBeInterrupted() throws InterruptedException {
        lane.send(new byte[WINDOW]);
        BlockedSender sender = BlockedSender.start(lane, new byte[1]);
        sender.interrupt();
        sender.join();
        assertInstanceOf(InterruptedException.class, sender.failure());
        assertEquals(WINDOW, lane.pendingBytes());
    }

    @Test
    void acknowledgingWhatWasNeverSentIsMalformed() {
        attach();
        lane.sendNow(new byte[1]);
        String problem = "frame 2 is acknowledged but was never sent";
        assertMalformed(problem, () -> lane.onAck(new Frame.Ack(Lane.BULK, 2)));
        assertMalformed(problem, () -> lane.onData(new Frame.Data(Lane.BULK, 1, 2, new byte[1])));
        assertMalformed(problem, () -> lane.attach(this::take, 2));
        assertEquals(List.of(), delivered);
    }

    @Test
    void oldAcknowledgementsAreNoHarm() {
        attach();
        lane.sendNow(new byte[1]);
        lane.sendNow(new byte[1]);
        lane.onAck(new Frame.Ack(Lane.BULK, 2));
        lane.onAck(new Frame.Ack(Lane.BULK, 1));
        assertEquals(0, lane.pendingBytes());
    }

    @Test
    void aGapIsMalformedWithOrWithoutAnOutput() {
        assertGap();
        attach();
        assertGap();
        lane.onData(new Frame.Data(Lane.BULK, 1, 0, new byte[1]));
        assertMalformed("frame 3 came in place of 2", () -> lane.onData(new Frame.Data(Lane.BULK, 3, 0, new byte[1])));
        assertEquals(1, delivered.size());
    }

    private void assertGap() {
        assertMalformed("frame 2 came in place of 1", () -> lane.onData(new Frame.Data(Lane.BULK, 2, 0, new byte[1])));
        assertMalformed(
                "frame 9223372036854775807 came in place of 1",
                () -> lane.onData(new Frame.Data(Lane.BULK, Long.MAX_VALUE, 0, new byte[1])));
        assertEquals(0, lane.received());
    }

    /** The session ends because of it, but a little later. */
    @Test
    void aRefusedFrameIsNeitherAcknowledgedNorFollowedByOthers() {
        List<Bytes> taken = new ArrayList<>();
        ReliableLane refusing = new ReliableLane(
                Lane.BULK,
                payload -> {
                    taken.add(payload);
                    throw new MalformedException("refused");
                },
                () -> now);
        refusing.attach(this::take, 0);
        assertMalformed("refused", () -> refusing.onData(new Frame.Data(Lane.BULK, 1, 0, new byte[1])));
        refusing.tick();
        for (int number = 1; number <= 20; number++) {
            refusing.onData(new Frame.Data(Lane.BULK, number, 0, new byte[1]));
        }
        refusing.sendNow(new byte[1]);
        assertEquals(List.of(), sent);
        assertEquals(1, taken.size());
    }

    /** Ten frames that wait in one queue: the last of them is late but not lost. */
    @Test
    void aQueueThatDrainsIsNotRepeated() {
        attach();
        for (int number = 1; number <= 10; number++) {
            lane.sendNow(new byte[1]);
        }
        for (int number = 1; number <= 10; number++) {
            now += TimeUnit.MILLISECONDS.toNanos(80);
            lane.tick();
            lane.onAck(new Frame.Ack(Lane.BULK, number));
        }
        assertEquals(10, lane.framesSent());
    }

    @Test
    void everyEighthFrameIsAcknowledgedAtOnce() {
        attach();
        for (int number = 1; number <= 20; number++) {
            lane.onData(new Frame.Data(Lane.BULK, number, 0, new byte[1]));
        }
        assertEquals(List.of(new Frame.Ack(Lane.BULK, 8), new Frame.Ack(Lane.BULK, 16)), sent);
        lane.tick();
        assertEquals(new Frame.Ack(Lane.BULK, 20), sent.getLast());
    }

    /** Its acknowledgement may have been lost with the connection. */
    @Test
    void aRepeatIsAcknowledgedAgainAndNotDelivered() {
        attach();
        lane.onData(new Frame.Data(Lane.BULK, 1, 0, new byte[1]));
        lane.tick();
        lane.onData(new Frame.Data(Lane.BULK, 1, 0, new byte[1]));
        lane.tick();
        assertEquals(List.of(new Frame.Ack(Lane.BULK, 1), new Frame.Ack(Lane.BULK, 1)), sent);
        assertEquals(1, delivered.size());
    }

    @Test
    void aDetachedLaneSendsNothing() {
        attach();
        lane.detach();
        lane.sendNow(new byte[1]);
        lane.onData(new Frame.Data(Lane.BULK, 1, 0, new byte[1]));
        lane.tick();
        assertEquals(List.of(), sent);
        assertEquals(0, lane.framesSent());
    }

    @Test
    void anEndedLaneSendsNothing() {
        attach();
        lane.sendNow(new byte[1]);
        lane.end(ReliableLane.closed());
        lane.tick();
        assertEquals(1, sent.size());
    }

    @Test
    void countsWhatItSends() {
        attach();
        lane.sendNow(new byte[10]);
        assertEquals(1, lane.framesSent());
        assertEquals(sent.getFirst().encode().length, lane.bytesSent());
        assertFalse(lane.bytesSent() < 10);
    }

    private void attach() {
        lane.attach(this::take, 0);
    }

    private void take(Lane on, byte[] frame) {
        assertEquals(Lane.BULK, on);
        sent.add(Frame.decode(frame));
    }
}
