package dev.outpost.rest.tenant;

/**
 * The settings of a project: those of a higher priority go first in the queue; an archived one takes no machines.
 */
public record ProjectRequest(Integer priority, Boolean archived) {}
