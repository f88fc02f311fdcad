package dev.outpost.rest.tenant;

import java.time.Instant;

/** An act as the API shows it; the actor is the id of a key. */
public record ActView(Instant at, String actor, String action, String target, String detail) {}
