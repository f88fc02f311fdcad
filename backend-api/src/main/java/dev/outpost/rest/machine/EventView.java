package dev.outpost.rest.machine;

import java.time.Instant;
import java.util.UUID;

/**
 * The API's view of an event of a machine.
 *
 * @param cursor the position in the list of events
 * @param state the state after the event
 * @param phase the phase after the event
 */
public record EventView(
        String cursor,
        UUID machine,
        String project,
        EventType type,
        Instant at,
        Phase.State state,
        Phase phase,
        String text) {}
