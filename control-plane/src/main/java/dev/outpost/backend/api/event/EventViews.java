package dev.outpost.backend.api.event;

import dev.outpost.backend.model.MachineEvent;
import dev.outpost.backend.store.EventRows;
import dev.outpost.rest.machine.EventView;

/** Makes the API's views of events. */
public final class EventViews {
    private EventViews() {}

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
