package dev.outpost.rest.machine;

import java.util.List;
import java.util.UUID;

/** The instructions of a machine's open sessions. */
public record InstructionsView(UUID machine, List<SessionView> sessions) {

    /**
     * A session's latest instructions, the oldest of them first.
     *
     * @param number of the session at its machine
     * @param lines ops, dtypes and shapes as text, and no value
     */
    public record SessionView(long number, List<String> lines) {}
}
