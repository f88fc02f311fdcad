package dev.outpost.rest.tenant;

import java.time.Instant;

/**
 * The API's view of an administrative act.
 *
 * @param actor the id of a key
 */
public record ActView(Instant at, String actor, String action, String target, String detail) {}
