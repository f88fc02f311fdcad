package dev.outpost.backend.model;

import dev.outpost.rest.machine.EventType;
import dev.outpost.rest.machine.Phase;
import java.time.Instant;
import java.util.Objects;

/**
 * An event in the life of a machine. The ledger is computed from these events alone.
 *
 * @param at the time, by the database's clock
 * @param phase the phase from then on
 * @param text a sentence for a person
 */
public record MachineEvent(EventType type, Instant at, Phase phase, String text) {

    public MachineEvent {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(text, "text");
    }
}
