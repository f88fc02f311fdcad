package dev.outpost.backend.api.event;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.LongAnswers;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.StillAllowed;
import dev.outpost.backend.store.EventRows;
import dev.outpost.backend.store.EventRows.Cursor;
import dev.outpost.backend.store.EventRows.Told;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Streams the events of the organisation's machines, in the order in which they settle. */
@Path("/v1/events")
@RunOnVirtualThread
@Blocking
@Tag(name = "events")
public class EventsResource extends ApiResource {
    private final EventFeed feed;
    private final LongAnswers answers;

    EventsResource(EventFeed feed, LongAnswers answers) {
        this.feed = feed;
        this.answers = answers;
    }

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @RequiresScope(KeyScope.READ)
    @Operation(
            summary = "Events in the order in which they settle, from behind a cursor on; bookmarks tell how far it is",
            description =
                    "Without a cursor from now on. 410 where events behind the cursor were removed: list, then begin anew.")
    public void stream(
            @QueryParam("cursor") Optional<String> cursor,
            @HeaderParam("Last-Event-ID") Optional<String> lastEvent,
            @Context SseEventSink sink,
            @Context Sse sse) {
        Optional<String> said = lastEvent.or(() -> cursor);
        Cursor from = said.map(EventsResource::parse).orElseGet(() -> transact(EventRows::newest));
        if (said.isPresent() && transact(sql -> isGone(sql, from))) {
            throw Problem.of(
                    Problem.Code.GONE,
                    "cursor: events behind " + from + " were removed; list what there is, then begin without a cursor");
        }
        String organisation = caller.organisation();
        Optional<String> project = caller.project();
        MachineEventStream stream = new MachineEventStream(
                database,
                feed,
                sink,
                sse,
                told -> isFor(told, organisation, project),
                new StillAllowed(database, caller, KeyScope.READ));
        Runnable close = answers.open(LongAnswers.Kind.EVENTS, organisation);
        try {
            // Runs on the request's own thread: the framework sends the head of the answer once the method has
            // returned.
            stream.run(from);
        } finally {
            close.run();
        }
    }

    private static boolean isFor(Told told, String organisation, Optional<String> project) {
        return told.organisation().equals(organisation)
                && project.filter(own -> !own.equals(told.project())).isEmpty();
    }

    private static boolean isGone(Sql sql, Cursor cursor) {
        return cursor.compareTo(EventRows.horizon(sql)) < 0 || EventRows.isAhead(sql, cursor);
    }

    private static Cursor parse(String text) {
        return Cursor.parse(text)
                .orElseThrow(() ->
                        Problem.invalid("cursor: expected the id of an event, such as 12-345, got something else"));
    }
}
