package dev.outpost.backend.simulation;

import java.time.Duration;

/**
 * A request for a machine.
 *
 * @param at the time since the beginning of the simulation
 * @param use the time for which the machine is used once it is ready
 */
record Arrival(Duration at, String organisation, String project, String gpu, Duration use) {
    String account() {
        return organisation + "/" + project;
    }

    /** Returns a repetition of this request for the rest of its time. */
    Arrival again(Duration when, Duration rest) {
        return new Arrival(when, organisation, project, gpu, rest);
    }
}
