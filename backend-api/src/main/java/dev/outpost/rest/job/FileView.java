package dev.outpost.rest.job;

/**
 * The part of a program that the backend has.
 *
 * @param next the offset of the next part
 * @param complete whether all of it is there, and has that hash
 */
public record FileView(String sha256, long size, long next, boolean complete) {}
