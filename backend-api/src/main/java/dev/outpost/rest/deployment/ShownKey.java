package dev.outpost.rest.deployment;

/** A key that a gateway was shown. */
public record ShownKey(String key) {}
