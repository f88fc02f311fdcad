package dev.outpost.client.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.FrameOutput;
import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.client.waits.ReadLimit;
import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.message.Message;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The use of the program's array by an upload if the lane takes it at once, late, or never. */
@Tag("quick")
class UploadTaskTest {
    private static final TensorType TYPE = new TensorType(DType.UINT8, Shape.of(10L * Message.CHUNK_BYTES + 7));

    private final byte[] values = new byte[(int) TYPE.bytes()];
    private final Collected collected = new Collected();
    private final ReliableLane lane = new ReliableLane(Lane.BULK, 3 * Message.CHUNK_BYTES, payload -> {}, () -> 0);
    private final ReadLimit limit = new ReadLimit(Duration.ofMillis(100), System::nanoTime);
    private final UploadTask task = new UploadTask(
            lane, limit, 1, TYPE, (first, target, at, length) -> System.arraycopy(values, first, target, at, length));

    UploadTaskTest() {
        new Random(1).nextBytes(values);
    }

    @Test
    void anInterruptedOneGoesOutAsTheArrayWas() {
        byte[] expected = values.clone();
        Thread.currentThread().interrupt();
        OutpostException told = assertThrows(OutpostException.class, task::run);
        assertTrue(Thread.interrupted());
        assertEquals("interrupted while uploading " + TYPE, told.getMessage());
        Arrays.fill(values, (byte) 0);
        lane.attach(collected, 0);
        assertArrayEquals(expected, collected.bytes.toByteArray());
    }

    @Test
    void waitingUploadFailsWhenTheSessionEnds() throws InterruptedException {
        Thread ending = Thread.ofVirtual().start(() -> {
            Await.until("the upload has begun", () -> lane.pendingBytes() > 0);
            lane.end(new OutpostException(FaultKind.EXTERNAL, "over"));
        });
        assertEquals("over", assertThrows(OutpostException.class, task::run).getMessage());
        ending.join();
    }

    /** For example, a machine that never acknowledges its frames. */
    @Test
    void aMachineThatTakesNothingIsWaitedForUpToTheLimit() {
        byte[] expected = values.clone();
        limit.machineIsThere();
        OutpostException told = assertThrows(OutpostException.class, task::run);
        assertEquals(FaultKind.EXTERNAL, told.kind());
        assertTrue(told.getMessage().contains("the machine did nothing for 0 s; the machine hangs"), told::getMessage);
        Arrays.fill(values, (byte) 0);
        lane.attach(collected, 0);
        assertArrayEquals(expected, collected.bytes.toByteArray());
    }

    /** Acknowledges all frames, so that the window never fills. */
    private final class Collected implements FrameOutput {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private long frames;

        @Override
        public void send(Lane number, byte[] frame) {}

        @Override
        public void send(Lane number, byte[] head, Body body) {
            bytes.writeBytes(body.toByteArray());
            lane.onAck(new Frame.Ack(Lane.BULK, ++frames));
        }
    }
}
