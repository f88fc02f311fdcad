package dev.outpost.rest.tenant;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a project.
 *
 * @param priority the priority of its requests in the queue; higher ones go first
 * @param archived true if it accepts no new machines
 */
public record ProjectRequest(
        @Nullable Integer priority, @Nullable Boolean archived) {}
