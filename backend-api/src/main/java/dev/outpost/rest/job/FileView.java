package dev.outpost.rest.job;

/**
 * The state of an upload.
 *
 * @param sha256 the SHA-256 of the whole file, in hex
 * @param size the number of bytes of the whole file
 * @param next the offset of the next part
 * @param complete true if the backend has the whole file and its SHA-256 is right
 */
public record FileView(String sha256, long size, long next, boolean complete) {}
