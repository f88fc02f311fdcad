package dev.outpost.provider.process.state;

import dev.outpost.provider.fleet.MachineObservation.EndCause;
import java.time.Instant;

/**
 * How a machine ended, as whoever found out first wrote it down for all others.
 *
 * @param cause what it means
 * @param at when that was found out or, where the runtime said so itself, when it ended
 * @param reason a sentence for a person
 */
record ExitState(EndCause cause, Instant at, String reason) {
    String write() {
        return cause + " " + at + " " + reason.replaceAll("\\s+", " ").strip() + "\n";
    }

    static ExitState read(String text) {
        String[] parts = text.strip().split(" ", 3);
        return new ExitState(EndCause.valueOf(parts[0]), Instant.parse(parts[1]), parts[2]);
    }
}
