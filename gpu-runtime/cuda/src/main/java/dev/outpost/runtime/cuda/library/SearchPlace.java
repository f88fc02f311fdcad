package dev.outpost.runtime.cuda.library;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A place in which to search libraries.
 *
 * @param origin the source of the place, such as {@code CUDA_HOME}
 * @param folder the folder; empty for the system's loader, which knows its own folders
 */
public record SearchPlace(String origin, Optional<Path> folder) {
    static final SearchPlace SYSTEM_LOADER =
            new SearchPlace("the system's loader (LD_LIBRARY_PATH, ldconfig)", Optional.empty());

    /** Creates a place that is a folder. */
    public static SearchPlace folder(String origin, Path folder) {
        return new SearchPlace(origin, Optional.of(folder));
    }
}
