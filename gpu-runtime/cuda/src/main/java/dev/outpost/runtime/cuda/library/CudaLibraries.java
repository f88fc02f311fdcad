package dev.outpost.runtime.cuda.library;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds CUDA's libraries. The first place with a usable major version wins, and within a place the newest version. A major version above
 * the driver's does not run on it and is skipped.
 */
public final class CudaLibraries {
    static final String TAKEN = " taken";

    private final List<SearchPlace> places;
    private final Optional<CudaVersion> driver;

    /**
     * @param places the places to search, in order
     * @param driver the CUDA version that the driver supports; empty without a driver, when every major version is usable
     */
    public CudaLibraries(List<SearchPlace> places, Optional<CudaVersion> driver) {
        this.places = List.copyOf(places);
        this.driver = driver;
    }

    /** Looks for a library and loads it. */
    public LibrarySearch find(CudaLibrary library) {
        List<LibrarySearch.Attempt> attempts = new ArrayList<>();
        for (SearchPlace place : places) {
            List<String> outcomes = new ArrayList<>();
            Optional<LoadedLibrary> found = findAt(place, library, outcomes);
            attempts.add(new LibrarySearch.Attempt(place, String.join("; ", outcomes)));
            if (found.isPresent()) {
                return new LibrarySearch(library, found, attempts);
            }
        }
        return new LibrarySearch(library, Optional.empty(), attempts);
    }

    private Optional<LoadedLibrary> findAt(SearchPlace place, CudaLibrary library, List<String> outcomes) {
        for (int major : majors()) {
            Optional<LoadedLibrary> found = place.folder().isPresent()
                    ? fromFolder(place.folder().get(), library, major, outcomes)
                    : fromSystem(library, major, outcomes);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /**
     * Loads a library from a folder. Its version is checked before, because once a library is in memory, later lookups of its name would
     * return it.
     */
    private Optional<LoadedLibrary> fromFolder(Path folder, CudaLibrary library, int major, List<String> outcomes) {
        Path file = folder.resolve(library.file(major)).toAbsolutePath();
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Optional<String> objection = objection(library, major, file);
        if (objection.isPresent()) {
            outcomes.add(library.file(major) + objection.get());
            return Optional.empty();
        }
        Optional<LoadedLibrary> loaded = load(file.toString(), outcomes);
        loaded.ifPresent(taken -> outcomes.add(library.file(major) + TAKEN));
        return loaded;
    }

    private Optional<LoadedLibrary> fromSystem(CudaLibrary library, int major, List<String> outcomes) {
        Optional<LoadedLibrary> loaded = load(library.file(major), outcomes);
        Optional<String> objection = loaded.flatMap(found -> objection(library, major, found.file()));
        loaded.ifPresent(found -> outcomes.add(library.file(major) + objection.orElse(TAKEN)));
        return objection.isPresent() ? Optional.empty() : loaded;
    }

    /** Returns the major versions, beginning with those that run on the driver. */
    private List<Integer> majors() {
        return CudaLibrary.MAJORS.stream()
                .sorted(Comparator.comparing(this::isNewerThanDriver))
                .toList();
    }

    private boolean isNewerThanDriver(int major) {
        return driver.isPresent() && major > driver.get().major();
    }

    private static Optional<LoadedLibrary> load(String name, List<String> outcomes) {
        try {
            return Optional.of(DynamicLoader.load(name));
        } catch (LibraryLoadException failure) {
            if (!failure.isMissing()) {
                outcomes.add(name + " does not load: " + failure.getMessage());
            }
            return Optional.empty();
        }
    }

    private Optional<String> objection(CudaLibrary library, int major, Path file) {
        if (isNewerThanDriver(major)) {
            return Optional.of(" is newer than the driver, which supports CUDA " + driver.get());
        }
        return library.companion()
                .filter(companion -> !hasBeside(file, companion))
                .map(companion -> " lacks " + companion + "* beside it");
    }

    private static boolean hasBeside(Path library, String prefix) {
        try (Stream<Path> files = Files.list(library.toRealPath().getParent())) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith(prefix));
        } catch (IOException ignored) {
            return false;
        }
    }
}
