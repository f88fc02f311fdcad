package dev.outpost.rest.machine;

import java.util.List;
import java.util.UUID;

/** The latest instructions of a machine's open sessions. */
public record InstructionsView(UUID machine, List<SessionView> sessions) {

    /**
     * The latest instructions of one session, the oldest first.
     *
     * @param number the machine's number of the session
     * @param lines ops, dtypes and shapes as text, without values
     */
    public record SessionView(long number, List<String> lines) {}
}
