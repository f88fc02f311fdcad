package dev.outpost.channel.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.channel.FrameOutput;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lane that asks a source for payloads: the times and the order of its requests, and its end. */
@Tag("quick")
class LaneSupplyTest {
    private static final int WINDOW = 100;

    private final ReliableLane lane = new ReliableLane(Lane.BULK, WINDOW, payload -> {}, () -> 0);
    private final List<String> events = new ArrayList<>();
    private int released;

    @Test
    void sourceIsAskedForAsMuchAsTheWindowTakes() {
        lane.submit(new Pieces("a", 3, 40));
        assertEquals(80, lane.pendingBytes());
        lane.onAck(new Frame.Ack(Lane.BULK, 1));
        assertEquals(List.of("a taken"), events);
        assertEquals(80, lane.pendingBytes());
    }

    @Test
    void oneFollowsTheOtherWhole() {
        lane.submit(new Pieces("a", 3, 40));
        lane.submit(new Pieces("b", 1, 40));
        lane.onAck(new Frame.Ack(Lane.BULK, 1));
        assertEquals(List.of("a taken"), events);
        lane.onAck(new Frame.Ack(Lane.BULK, 2));
        assertEquals(List.of("a taken", "b taken"), events);
        assertEquals(80, lane.pendingBytes());
    }

    @Test
    void anOutputThatIsNotReadyIsNotGivenAny() {
        Wire wire = new Wire();
        lane.attach(wire, 0);
        lane.submit(new Pieces("a", 2, 1));
        assertEquals(List.of(), wire.numbers);
        wire.room = 1;
        lane.ready();
        assertEquals(List.of(1L), wire.numbers);
        wire.room = 5;
        lane.ready();
        assertEquals(List.of(1L, 2L), wire.numbers);
        assertEquals(List.of("a taken"), events);
    }

    @Test
    void acknowledgementDuringASendKeepsTheOrder() {
        Wire wire = new Wire();
        wire.room = 1000;
        wire.acknowledges = true;
        lane.attach(wire, 0);
        lane.submit(new Pieces("a", 120, 60));
        assertEquals(120, wire.numbers.size());
        assertEquals(wire.numbers.stream().sorted().toList(), wire.numbers);
        assertEquals(List.of("a taken"), events);
    }

    @Test
    void aNewConnectionRepeatsBeforeItGoesOn() {
        lane.submit(new Pieces("a", 3, 40));
        Wire wire = new Wire();
        wire.room = 1000;
        lane.attach(wire, 1);
        assertEquals(List.of(2L, 3L), wire.numbers);
    }

    @Test
    void theEndIsToldAndWhatWasNextIsReleased() {
        lane.submit(new Pieces("a", 3, 40));
        lane.submit(new Pieces("b", 1, 40));
        lane.end(ReliableLane.closed());
        assertEquals(List.of("a ended", "b ended"), events);
        assertEquals(3, released);
        lane.ready();
        assertEquals(2, events.size());
        assertThrows(OutpostException.class, () -> lane.submit(new Pieces("c", 1, 1)));
    }

    private final class Pieces implements PayloadSource {
        private final String name;
        private final int length;
        private int left;

        Pieces(String name, int count, int length) {
            this.name = name;
            this.left = count;
            this.length = length;
        }

        @Override
        public Payload next() {
            return left-- > 0 ? new Payload(new byte[0], new Piece(length)) : null;
        }

        @Override
        public void taken() {
            events.add(name + " taken");
        }

        @Override
        public void ended(OutpostException reason) {
            events.add(name + " ended");
        }
    }

    private final class Piece implements Body {
        private final int length;

        Piece(int length) {
            this.length = length;
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public void copyTo(byte[] target, int at) {}

        @Override
        public void release() {
            released++;
        }
    }

    private final class Wire implements FrameOutput {
        final List<Long> numbers = new ArrayList<>();
        int room;
        boolean acknowledges;

        @Override
        public void send(Lane number, byte[] frame) {}

        @Override
        public void send(Lane number, byte[] head, Body body) {
            // It follows version, kind and lane; a number below 128 takes one byte.
            numbers.add((long) head[3]);
            room--;
            if (acknowledges) {
                lane.onAck(new Frame.Ack(Lane.BULK, numbers.getLast()));
            }
        }

        @Override
        public boolean isReady(Lane number) {
            return room > 0;
        }
    }
}
