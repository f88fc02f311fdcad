package dev.outpost.rest.deployment;

/** A key that a client showed to a gateway. */
public record ShownKey(String key) {}
