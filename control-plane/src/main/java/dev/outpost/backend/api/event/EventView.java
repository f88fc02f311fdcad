package dev.outpost.backend.api.event;

import dev.outpost.backend.model.MachineEvent;
import dev.outpost.backend.model.Phase;
import dev.outpost.backend.store.EventRows;
import java.time.Instant;
import java.util.UUID;

/** An event as the API shows it. */
public record EventView(
        String cursor,
        UUID machine,
        String project,
        MachineEvent.Type type,
        Instant at,
        Phase.State state,
        Phase phase,
        String text) {

    public static EventView of(EventRows.Told told) {
        MachineEvent event = told.event();
        return new EventView(
                told.cursor().toString(),
                told.machine(),
                told.project(),
                event.type(),
                event.at(),
                event.phase().state(),
                event.phase(),
                event.text());
    }
}
