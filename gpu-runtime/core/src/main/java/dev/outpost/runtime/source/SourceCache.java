package dev.outpost.runtime.source;

import java.nio.file.Path;

/**
 * The cache for files of remote stores.
 *
 * @param folder created when it is needed; several runtimes may share it
 * @param bytes the maximum number of bytes of all files together
 */
public record SourceCache(Path folder, long bytes) {
    public SourceCache {
        if (bytes <= 0) {
            throw new IllegalArgumentException("sources: a cache needs room, got " + bytes + " bytes");
        }
    }
}
