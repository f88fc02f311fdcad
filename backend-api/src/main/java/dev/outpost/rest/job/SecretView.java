package dev.outpost.rest.job;

import java.time.Instant;

/** A secret, without its value. */
public record SecretView(String project, String name, long version, Instant changed) {}
