package dev.outpost.rest.machine;

import java.util.List;
import java.util.UUID;

/** The instructions of a machine's open sessions. */
public record InstructionsView(UUID machine, List<SessionView> sessions) {}
