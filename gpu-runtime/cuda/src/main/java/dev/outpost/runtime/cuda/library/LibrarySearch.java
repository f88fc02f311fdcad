package dev.outpost.runtime.cuda.library;

import java.util.List;
import java.util.Optional;

/**
 * The search for a library.
 *
 * @param library the library
 * @param found the loaded library, if it was found
 * @param attempts the searched places in order; the last one is where the library was found
 */
public record LibrarySearch(CudaLibrary library, Optional<LoadedLibrary> found, List<Attempt> attempts) {

    /**
     * The search of one place.
     *
     * @param outcome the findings, such as {@code libnvrtc.so.13 taken}; empty if there was nothing
     */
    public record Attempt(SearchPlace place, String outcome) {}

    /** Files that exist but could not be used, with the reason. */
    public List<String> rejected() {
        return attempts.stream()
                .map(Attempt::outcome)
                .filter(outcome -> !outcome.isEmpty() && !outcome.endsWith(CudaLibraries.TAKEN))
                .distinct()
                .toList();
    }
}
