package dev.outpost.backend.api.event;

import dev.outpost.backend.store.EventRows;
import dev.outpost.backend.store.EventRows.Cursor;
import dev.outpost.backend.store.EventRows.Told;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.rest.machine.EventView;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Sends events to a listener, at the listener's pace, until it disconnects. */
final class MachineEventStream {
    private static final int BATCH = 200;
    private static final long BOOKMARK_MILLIS = 5_000;

    private final Database database;
    private final EventFeed feed;
    private final SseEventSink sink;
    private final Sse sse;
    private final Predicate<Told> isWanted;
    private final BooleanSupplier isAllowed;
    private Cursor cursor;

    /** @param isAllowed true while the listener may still read events */
    MachineEventStream(
            Database database,
            EventFeed feed,
            SseEventSink sink,
            Sse sse,
            Predicate<Told> isWanted,
            BooleanSupplier isAllowed) {
        this.database = database;
        this.feed = feed;
        this.sink = sink;
        this.sse = sse;
        this.isWanted = isWanted;
        this.isAllowed = isAllowed;
    }

    void run(Cursor from) {
        cursor = from;
        try (sink;
                EventFeed.Watcher watcher = feed.watch()) {
            sendBookmark();
            while (!sink.isClosed() && isAllowed.getAsBoolean()) {
                if (watcher.catchUp()) {
                    sendStored();
                    continue;
                }
                List<Told> batch = watcher.poll(BOOKMARK_MILLIS);
                if (!isAllowed.getAsBoolean()) {
                    return;
                }
                send(batch);
                if (batch.isEmpty()) {
                    sendBookmark();
                }
            }
        } catch (CompletionException | IllegalStateException ignored) {
            // The listener has disconnected. It connects again with the id of the last event that it received.
        }
    }

    private void sendStored() {
        List<Told> batch;
        do {
            batch = database.transact(sql -> EventRows.after(sql, cursor, BATCH));
            send(batch);
        } while (batch.size() == BATCH && isAllowed.getAsBoolean());
    }

    /** Sends an event once, even if both the database and the feed return it. */
    private void send(List<Told> batch) {
        for (Told told : batch) {
            if (told.cursor().compareTo(cursor) > 0) {
                cursor = told.cursor();
                if (isWanted.test(told)) {
                    send(told);
                }
            }
        }
    }

    private void send(Told told) {
        send(sse.newEventBuilder()
                .id(told.cursor().toString())
                .name("machine")
                .mediaType(MediaType.APPLICATION_JSON_TYPE)
                .data(EventView.class, EventViews.of(told))
                .build());
    }

    /** Sends the position of the stream without an event, so that the listener can resume from there. */
    private void sendBookmark() {
        send(sse.newEventBuilder()
                .id(cursor.toString())
                .name("bookmark")
                .mediaType(MediaType.APPLICATION_JSON_TYPE)
                .data(Map.class, Map.of("cursor", cursor.toString()))
                .build());
    }

    private void send(OutboundSseEvent event) {
        sink.send(event).toCompletableFuture().join();
    }
}
