package dev.outpost.client.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.Lanes;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.frame.NegotiatedProtocol;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.support.tests.Await;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class LinkTest {
    private final List<OutpostException> broken = new ArrayList<>();
    private final List<End> ends = new ArrayList<>();
    private FrameListener client;
    private Welcome welcome;

    /** For example, an answer may be longer than expected. An exception on the network's thread would otherwise get lost. */
    @Test
    void exceptionOfAFrameEndsTheSession() {
        connect();
        client.onFrame(Lane.CONTROL, new Frame.Data(Lane.CONTROL, 1, 0, new byte[] {1}).encode());
        assertEquals(FaultKind.INTERNAL, broken.getFirst().kind());
        assertEquals(
                "a frame of the machine could not be handled: java.lang.IndexOutOfBoundsException: overrun",
                broken.getFirst().getMessage());
    }

    @Test
    void textOfTheMachineIsBoundedAndSanitized() {
        connect();
        String hostile = "\u001b[2J\u001b]0;owned\u0007" + "x".repeat(2 << 20) + "\u202e";
        client.onFrame(
                Lane.CONTROL,
                Frame.Connection.of(ConnectionMessages.end(Fault.newBuilder()
                                .setOp(hostile)
                                .setMessage(hostile)
                                .setSource(hostile)
                                .build()))
                        .encode());
        Fault said = ends.getFirst().getFault();
        for (String text : List.of(said.getOp(), said.getMessage(), said.getSource())) {
            assertTrue(text.length() < 20_000, () -> text.length() + " characters");
            assertTrue(text.chars().noneMatch(character -> character == 0x1b || character == 7), text);
        }
        assertTrue(said.getMessage().startsWith("\ufffd[2J\ufffd]0;owned\ufffdxxx"));
    }

    @Test
    void deviceNameIsBoundedAndSanitized() {
        connect();
        client.onFrame(Lane.CONTROL, welcome("\u001b[31m" + "x".repeat(1 << 20)));
        assertEquals("\ufffd[31mxxx", welcome.getDevice().substring(0, 8));
        assertTrue(welcome.getDevice().length() < 300);
    }

    private void connect() {
        Lanes lanes = new Lanes(Lane.each(lane -> LinkTest::fail), System::nanoTime);
        new Link(this::open, UUID.randomUUID(), lanes, ProtocolVersions.CURRENT, Await.GUARD, new Told(), null)
                .connect();
    }

    private FrameChannel open(FrameListener listener) {
        client = listener;
        return new FrameChannel() {
            @Override
            public void send(Lane lane, byte[] frame) {
                if (Frame.decode(frame) instanceof Frame.Connection) {
                    listener.onFrame(Lane.CONTROL, welcome("plain"));
                }
            }

            @Override
            public void close(String reason) {
                // It has no resources.
            }
        };
    }

    private static byte[] welcome(String device) {
        return Frame.Connection.of(
                        ConnectionMessages.welcome(new long[2], 1000, 1, device, new NegotiatedProtocol(0, Set.of())))
                .encode();
    }

    private static void fail(Bytes payload) {
        throw new IndexOutOfBoundsException("overrun");
    }

    private final class Told implements Link.Events {
        @Override
        public void welcomed(Welcome received, NegotiatedProtocol negotiated) {
            welcome = received;
        }

        @Override
        public void disconnected(String reason) {
            // The test itself checks the lanes.
        }

        @Override
        public void ended(End end) {
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
