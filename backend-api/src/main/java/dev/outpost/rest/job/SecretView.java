package dev.outpost.rest.job;

import java.time.Instant;

/**
 * The API's view of a secret, which never shows the value.
 *
 * @param changed the time of the last change
 */
public record SecretView(String project, String name, long version, Instant changed) {}
