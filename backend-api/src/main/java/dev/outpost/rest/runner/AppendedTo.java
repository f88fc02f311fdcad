package dev.outpost.rest.runner;

/**
 * The answer to a part of a log or file.
 *
 * @param next the offset of the next part
 */
public record AppendedTo(long next) {}
