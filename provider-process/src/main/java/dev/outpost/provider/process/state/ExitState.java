package dev.outpost.provider.process.state;

import dev.outpost.provider.fleet.MachineObservation.EndCause;
import java.time.Instant;

/**
 * The end of a machine. The first process that notices the end writes this into a file for all others.
 *
 * @param cause the kind of the end
 * @param at the time of the end if the runtime wrote it, else the time when the end was noticed
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
