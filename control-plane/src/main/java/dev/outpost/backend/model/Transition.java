package dev.outpost.backend.model;

import java.util.List;
import java.util.Optional;

/**
 * The consequence of an observation.
 *
 * @param row the machine from now on; of the next version where anything changed
 * @param events what is told of it, in order
 * @param command what its cluster is asked for once the row is committed
 */
public record Transition(Machine row, List<MachineEvent> events, Optional<Command> command) {
    public Transition {
        events = List.copyOf(events);
    }

    public boolean changes(Machine from) {
        return !row.equals(from);
    }
}
