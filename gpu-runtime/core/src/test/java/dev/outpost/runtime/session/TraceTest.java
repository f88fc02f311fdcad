package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.message.Traced;
import dev.outpost.protocol.trace.EngineEvent;
import dev.outpost.protocol.trace.EngineTraceReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the reports of a session to a client that profiles. */
class TraceTest extends RuntimeTest {
    private final EngineTraceReader reader = new EngineTraceReader();

    private List<EngineEvent> ask(WireClient client, long request) throws InterruptedException {
        client.control(ToRuntime.Request.trace(request));
        Traced traced = client.traced();
        assertEquals(request, traced.getRequest());
        assertTrue(traced.getReceivedNanos() <= traced.getAnsweredNanos(), traced::toString);
        assertFalse(traced.getHasMore());
        List<EngineEvent> events = new ArrayList<>();
        reader.read(traced.getEvents().toByteArray(), events::add);
        return events;
    }

    @Test
    void notesBeginWithTheFirstQuestion() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2).neg(2, 1));
        assertEquals(List.of(), ask(client, 1));
        client.run(new SegmentBuilder().neg(3, 2).plus(4, 3, 2));
        client.fetch(9, 4);
        List<EngineEvent> events = ask(client, 2);
        var segment = (EngineEvent.Segment) events.stream()
                .filter(EngineEvent.Segment.class::isInstance)
                .findFirst()
                .orElseThrow();
        assertEquals(2, segment.number());
        assertEquals(2, segment.instructions());
        assertTrue(segment.arrived() <= segment.start(), segment::toString);
        long launched = 0;
        for (EngineEvent event : events) {
            if (event instanceof EngineEvent.Kernel kernel) {
                launched++;
                assertTrue(segment.start() <= kernel.start() && kernel.end() <= segment.end(), kernel::toString);
            }
        }
        assertTrue(launched >= 1, events::toString);
        var fetched = (EngineEvent.Fetched) events.getLast();
        assertEquals(9, fetched.fetch());
        assertTrue(segment.end() <= fetched.start(), fetched::toString);
        assertEquals(List.of(), ask(client, 3));
    }

    @Test
    void ofOthersNothingIsTold() throws InterruptedException {
        var client = WireClient.connected(host);
        var other = WireClient.connected(host);
        ask(client, 1);
        other.run(new SegmentBuilder().floats(1, 1, 2).neg(2, 1));
        other.fetch(1, 2);
        assertEquals(List.of(), ask(client, 2));
    }
}
