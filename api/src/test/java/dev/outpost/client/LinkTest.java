package dev.outpost.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.Lanes;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("quick")
@Timeout(20)
class LinkTest {
    private final List<OutpostException> broken = new ArrayList<>();
    private final List<Frame.End> ends = new ArrayList<>();
    private FrameListener client;
    private Frame.Welcome welcome;

    /** Such as an answer that overruns what waits for it: nobody would hear of it on the network's thread. */
    @Test
    void whatAFrameBringsAboutEndsTheSession() {
        connect();
        client.onFrame(Lane.CONTROL, new Frame.Data(Lane.CONTROL, 1, 0, new byte[] {1}).encode());
        assertEquals(FaultKind.INTERNAL, broken.getFirst().kind());
        assertEquals(
                "a frame of the machine could not be handled: java.lang.IndexOutOfBoundsException: overrun",
                broken.getFirst().getMessage());
    }

    @Test
    void whatTheMachineSaysIsCutAndClean() {
        connect();
        String hostile = "\u001b[2J\u001b]0;owned\u0007" + "x".repeat(2 << 20) + "\u202e";
        client.onFrame(Lane.CONTROL, new Frame.End(new Fault(FaultKind.USER, hostile, hostile, hostile)).encode());
        Fault said = ends.getFirst().fault();
        for (String text : List.of(said.op(), said.message(), said.source())) {
            assertTrue(text.length() < 20_000, () -> text.length() + " characters");
            assertTrue(text.chars().noneMatch(character -> character == 0x1b || character == 7), text);
        }
        assertTrue(said.message().startsWith("\ufffd[2J\ufffd]0;owned\ufffdxxx"));
    }

    @Test
    void aDevicesNameIsCutAndClean() {
        connect();
        client.onFrame(
                Lane.CONTROL, new Frame.Welcome(new long[2], 1000, 1, "\u001b[31m" + "x".repeat(1 << 20)).encode());
        assertEquals("\ufffd[31mxxx", welcome.device().substring(0, 8));
        assertTrue(welcome.device().length() < 300);
    }

    private void connect() {
        Lanes lanes = new Lanes(Lane.each(lane -> LinkTest::fail), System::nanoTime);
        new Link(this::open, UUID.randomUUID(), lanes, Duration.ofSeconds(10), new Told(), null).connect();
    }

    private FrameChannel open(FrameListener listener) {
        client = listener;
        return new FrameChannel() {
            @Override
            public void send(Lane lane, byte[] frame) {
                if (Frame.decode(frame) instanceof Frame.Hello) {
                    listener.onFrame(Lane.CONTROL, new Frame.Welcome(new long[2], 1000, 1, "plain").encode());
                }
            }

            @Override
            public void close(String reason) {
                // There is nothing behind it.
            }
        };
    }

    private static void fail(Bytes payload) {
        throw new IndexOutOfBoundsException("overrun");
    }

    private final class Told implements Link.Events {
        @Override
        public void welcomed(Frame.Welcome said) {
            welcome = said;
        }

        @Override
        public void ended(Frame.End end) {
            ends.add(end);
        }

        @Override
        public void broken(OutpostException reason) {
            broken.add(reason);
        }

        @Override
        public void lost(String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void refused(String reason) {
            throw new AssertionError(reason);
        }
    }
}
