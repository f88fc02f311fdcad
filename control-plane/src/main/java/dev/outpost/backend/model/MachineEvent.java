package dev.outpost.backend.model;

import java.time.Instant;
import java.util.Objects;

/**
 * An event in the life of a machine. The ledger follows from these alone.
 *
 * @param at when, by the database's clock
 * @param phase the phase that it is in from then on
 * @param text a sentence for a person
 */
public record MachineEvent(Type type, Instant at, Phase phase, String text) {

    /** Kinds of events, by the names that the API gives them. */
    public enum Type {
        CREATED,
        WAITING,
        ADMITTED,
        PROGRESS,
        READY,
        LOST,
        FOUND,
        EXTENDED,
        END_ASKED,
        ENDED
    }

    public MachineEvent {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(text, "text");
    }
}
