package dev.outpost.runtime.source;

import java.nio.file.Path;

/**
 * Where a runtime keeps files of stores that are far away.
 *
 * @param folder made when it is needed; several runtimes may share it
 * @param bytes what all files may take together
 */
public record SourceCache(Path folder, long bytes) {
    public SourceCache {
        if (bytes <= 0) {
            throw new IllegalArgumentException("sources: a cache needs room, got " + bytes + " bytes");
        }
    }
}
