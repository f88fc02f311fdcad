package dev.outpost.channel.delivery;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.bytes.Slice;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two bulk lanes that may compress, over a link with a known speed: tests when they compress, and that all data arrive. */
@Tag("quick")
class CompressingLaneTest {
    private static final int CHUNK = 127 << 10;
    private static final int CHUNKS = 100;

    private final ByteArrayOutputStream delivered = new ByteArrayOutputStream();
    private final List<Integer> frames = new ArrayList<>();
    private long now;
    private int packed;
    private final ReliableLane sender = new ReliableLane(Lane.BULK, CHUNK * 32L, payload -> {}, () -> now);
    private final ReliableLane receiver =
            new ReliableLane(Lane.BULK, CHUNK * 32L, payload -> delivered.writeBytes(payload.toByteArray()), () -> now);

    @Test
    void aSlowLinkIsSentPackedBytes() {
        byte[] bytes = send(5e6, compressible(), true);
        assertArrayEquals(bytes, delivered.toByteArray());
        assertTrue(packed > CHUNKS / 2, () -> packed + " packed");
        long sent = frames.stream().mapToLong(Integer::longValue).sum();
        assertTrue(sent < 0.7 * bytes.length, () -> sent + " of " + bytes.length);
    }

    @Test
    void aFastLinkIsNot() {
        byte[] bytes = send(400e6, compressible(), true);
        assertArrayEquals(bytes, delivered.toByteArray());
        assertEquals(0, packed);
    }

    /** One in 64 is tried, in case they have changed. */
    @Test
    void payloadThatDoesNotShrinkIsSentAsItIs() {
        byte[] noise = new byte[CHUNK * CHUNKS];
        new Random(1).nextBytes(noise);
        assertArrayEquals(send(5e6, noise, true), delivered.toByteArray());
        assertEquals(0, packed);
    }

    @Test
    void payloadIsNotPackedWithoutAgreement() {
        byte[] bytes = send(5e6, compressible(), false);
        assertArrayEquals(bytes, delivered.toByteArray());
        assertEquals(0, packed);
        Frame.Packed frame =
                new Frame.Packed(Lane.BULK, CHUNKS + 1, 0, new byte[0], 1, 8, new Slice(new byte[] {1, 2, 3}));
        assertMalformed("a packed frame came, which was not agreed on", () -> receiver.onPacked(frame));
    }

    @Test
    void controlIsNeverPacked() {
        ReliableLane control = new ReliableLane(Lane.CONTROL, payload -> {}, () -> now);
        control.pack(true);
        Frame.Packed frame = new Frame.Packed(Lane.CONTROL, 1, 0, new byte[0], 1, 8, new Slice(new byte[] {1, 2, 3}));
        assertMalformed("a packed frame came, which was not agreed on", () -> control.onPacked(frame));
    }

    private static byte[] compressible() {
        byte[] bytes = new byte[CHUNK * CHUNKS];
        Random random = new Random(1);
        for (int index = 0; index < bytes.length; index += 4) {
            bytes[index] = (byte) random.nextInt();
        }
        return bytes;
    }

    /** Sends the bytes in chunks over a link with this rate. */
    private byte[] send(double bytesPerSecond, byte[] bytes, boolean isAgreed) {
        sender.pack(isAgreed);
        receiver.pack(isAgreed);
        receiver.attach((lane, frame) -> sender.onAck((Frame.Ack) Frame.decode(frame)), 0);
        sender.attach((lane, frame) -> carry(bytesPerSecond, frame), 0);
        for (int from = 0; from < bytes.length; from += CHUNK) {
            sender.submit(new OneChunk(new Payload(new byte[0], new Slice(bytes, from, CHUNK), 4)));
        }
        receiver.tick();
        return bytes;
    }

    private void carry(double bytesPerSecond, byte[] frame) {
        now += (long) (1e9 * frame.length / bytesPerSecond);
        frames.add(frame.length);
        switch (Frame.decode(frame)) {
            case Frame.Data data -> receiver.onData(data);
            case Frame.Packed pack -> {
                packed++;
                receiver.onPacked(pack);
            }
            case Frame.Ack ack -> receiver.onAck(ack);
            case Frame.Connection other -> throw new AssertionError(other);
        }
    }

    private static final class OneChunk implements PayloadSource {
        private Payload left;

        OneChunk(Payload chunk) {
            this.left = chunk;
        }

        @Override
        public Payload next() {
            Payload next = left;
            left = null;
            return next;
        }

        @Override
        public void taken() {}

        @Override
        public void ended(dev.outpost.types.OutpostException reason) {}
    }
}
