package dev.outpost.backend.model;

import dev.outpost.rest.machine.EventType;
import dev.outpost.rest.machine.Phase;
import java.time.Instant;
import java.util.Objects;

/**
 * An event in the life of a machine. The ledger follows from these alone.
 *
 * @param at when, by the database's clock
 * @param phase the phase that it is in from then on
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
