package dev.outpost.rest.job;

/** A file that a run left. */
public record ArtefactView(int run, String path, long size) {}
