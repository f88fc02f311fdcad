package dev.outpost.runtime.cuda.library;

import java.util.List;
import java.util.Optional;

/**
 * How the search for a library went.
 *
 * @param library what was looked for
 * @param found what was found
 * @param attempts what was seen, in the order of the search; it ends at the place where the library was found
 */
public record LibrarySearch(CudaLibrary library, Optional<LoadedLibrary> found, List<Attempt> attempts) {

    /**
     * A look at a place.
     *
     * @param outcome what there was, such as {@code libnvrtc.so.13 taken}; empty where there was nothing
     */
    public record Attempt(SearchPlace place, String outcome) {}

    /** Files that were there but could not be used, with the reason. */
    public List<String> rejected() {
        return attempts.stream()
                .map(Attempt::outcome)
                .filter(outcome -> !outcome.isEmpty() && !outcome.endsWith(CudaLibraries.TAKEN))
                .distinct()
                .toList();
    }
}
