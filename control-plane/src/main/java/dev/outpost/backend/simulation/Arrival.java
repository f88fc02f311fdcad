package dev.outpost.backend.simulation;

import java.time.Duration;

/**
 * A request for a machine.
 *
 * @param at since the begin of the simulation
 * @param use how long the machine is used once it is ready
 */
record Arrival(Duration at, String organisation, String project, String gpu, Duration use) {
    String account() {
        return organisation + "/" + project;
    }

    /** The same request again, for the time that is left of it. */
    Arrival again(Duration when, Duration rest) {
        return new Arrival(when, organisation, project, gpu, rest);
    }
}
