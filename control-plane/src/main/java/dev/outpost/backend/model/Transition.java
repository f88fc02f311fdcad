package dev.outpost.backend.model;

import java.util.List;
import java.util.Optional;

/**
 * The result of applying an observation to a machine's row.
 *
 * @param row the machine after the transition, with the next version if anything changed
 * @param events the events of the transition, in order
 * @param command the request to its cluster after the row is committed
 */
public record Transition(Machine row, List<MachineEvent> events, Optional<Command> command) {
    public Transition {
        events = List.copyOf(events);
    }

    public boolean changes(Machine from) {
        return !row.equals(from);
    }
}
