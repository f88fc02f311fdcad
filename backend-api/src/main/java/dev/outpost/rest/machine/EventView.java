package dev.outpost.rest.machine;

import java.time.Instant;
import java.util.UUID;

/** An event as the API shows it. */
public record EventView(
        String cursor,
        UUID machine,
        String project,
        EventType type,
        Instant at,
        Phase.State state,
        Phase phase,
        String text) {}
