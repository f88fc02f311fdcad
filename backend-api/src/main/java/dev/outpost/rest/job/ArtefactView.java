package dev.outpost.rest.job;

/**
 * A file that a run wrote.
 *
 * @param run the number of the run, from 1
 * @param size the number of bytes
 */
public record ArtefactView(int run, String path, long size) {}
