package dev.outpost.protocol.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.types.MalformedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class EngineTraceTest {
    private final EngineTraceReader reader = new EngineTraceReader();
    private final List<EngineEvent> read = new ArrayList<>();

    private void readAll(EngineTraceWriter writer) {
        while (writer.hasMore()) {
            reader.read(writer.take(), read::add);
        }
    }

    @Test
    void traceRoundTripsAcrossPieces() {
        EngineTraceWriter writer = new EngineTraceWriter();
        int matmul = writer.name("matmul float32[2,2]");
        assertEquals(matmul, writer.name("matmul float32[2,2]"));
        writer.planned(-50, -20);
        writer.kernel(matmul, 100, 130);
        readAll(writer);
        int relu = writer.name("relu");
        writer.kernel(relu, 140, 150);
        writer.segment(7, 2, 80, 90, 160);
        writer.fetched(3, Long.MAX_VALUE - 10, Long.MAX_VALUE);
        readAll(writer);
        assertEquals(
                List.of(
                        new EngineEvent.Planned(-50, -20),
                        new EngineEvent.Kernel("matmul float32[2,2]", 100, 130),
                        new EngineEvent.Kernel("relu", 140, 150),
                        new EngineEvent.Segment(7, 2, 80, 90, 160),
                        new EngineEvent.Fetched(3, Long.MAX_VALUE - 10, Long.MAX_VALUE)),
                read);
        assertEquals(0, writer.take().length);
    }

    @Test
    void aKernelTakesFewBytes() {
        EngineTraceWriter writer = new EngineTraceWriter();
        int name = writer.name("k");
        writer.take();
        for (int kernel = 0; kernel < 100; kernel++) {
            writer.kernel(name, 1_000L * kernel, 1_000L * kernel + 900);
        }
        assertTrue(writer.take().length <= 600);
    }

    /** The number of events that are not fetched is limited; a gap shows where events are missing. */
    @Test
    void droppedEventsAreCounted() {
        EngineTraceWriter writer = new EngineTraceWriter(1000);
        for (int fetch = 0; fetch < 1000; fetch++) {
            writer.fetched(fetch, fetch, fetch + 1);
        }
        readAll(writer);
        int kept = read.size() - 1;
        assertTrue(kept > 100 && kept < 500, "kept " + kept);
        assertEquals(new EngineEvent.Dropped(1000 - kept), read.getLast());
        writer.fetched(2000, 1, 2);
        readAll(writer);
        assertEquals(new EngineEvent.Fetched(2000, 1, 2), read.getLast());
    }

    @Test
    void manyPiecesAreReadInOrder() {
        EngineTraceWriter writer = new EngineTraceWriter();
        for (int fetch = 0; fetch < 100_000; fetch++) {
            writer.fetched(fetch, 10L * fetch, 10L * fetch + 5);
        }
        readAll(writer);
        assertEquals(100_000, read.size());
        assertEquals(new EngineEvent.Fetched(99_999, 999_990, 999_995), read.getLast());
    }

    @Test
    void anythingElseIsMalformed() {
        EngineTraceWriter writer = new EngineTraceWriter();
        writer.segment(7, 2, 80, 90, 160);
        byte[] bytes = writer.take();
        for (int end = 1; end < bytes.length; end++) {
            byte[] cut = Arrays.copyOf(bytes, end);
            assertThrows(MalformedException.class, () -> new EngineTraceReader().read(cut, read::add));
        }
        assertThrows(MalformedException.class, () -> reader.read(new byte[] {9}, read::add));
        assertThrows(
                MalformedException.class, () -> reader.read(new byte[] {EngineTraceWriter.KERNEL, 0, 0, 0}, read::add));
    }
}
