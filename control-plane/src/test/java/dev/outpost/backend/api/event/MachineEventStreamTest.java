package dev.outpost.backend.api.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.store.EventRows.Cursor;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.usage.Machines;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.resteasy.reactive.server.jaxrs.SseImpl;
import org.junit.jupiter.api.Test;

class MachineEventStreamTest {
    private static final int BATCH = 200;

    /** Stores the sent events. */
    private static final class Kept implements SseEventSink {
        private final List<String> names = new ArrayList<>();
        private boolean isClosed;

        @Override
        public boolean isClosed() {
            return isClosed;
        }

        @Override
        public CompletionStage<?> send(OutboundSseEvent event) {
            names.add(event.getName());
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    /** It takes long with many stored events. */
    @Test
    void catchingUpEndsWhenTheListenerMayNotListenAnyMore() {
        try (TestDatabase test = TestDatabase.create().withProjects("vision")) {
            Database database = test.database();
            Machines machines = new Machines(MachineRequestFixtures.SETTINGS);
            for (int i = 0; i < 2 * BATCH + 1; i++) {
                MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100"));
            }
            Kept sink = new Kept();
            AtomicInteger questions = new AtomicInteger();
            new MachineEventStream(
                            database,
                            new EventFeed(database),
                            sink,
                            new SseImpl(),
                            told -> true,
                            () -> questions.incrementAndGet() <= 2)
                    .run(Cursor.START);
            assertTrue(sink.isClosed());
            assertEquals(
                    2 * BATCH, sink.names.stream().filter("machine"::equals).count());
        }
    }
}
