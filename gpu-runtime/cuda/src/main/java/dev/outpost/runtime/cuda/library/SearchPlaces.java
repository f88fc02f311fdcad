package dev.outpost.runtime.cuda.library;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The places to search for CUDA's libraries, in order. The configured folders come first, even if they do not exist. The system's loader
 * follows, and then the existing folders of CUDA_HOME and CUDA_PATH, of toolkits below /usr/local, and of Python wheels.
 */
public final class SearchPlaces {
    /** The system property with folders to search first, separated like a class path. */
    public static final String PROPERTY = "outpost.cuda.libraries";

    /** The environment variable with the same meaning. */
    public static final String ENVIRONMENT = "OUTPOST_CUDA_LIBRARIES";

    /** The file name of NCCL 2, for any version of CUDA. */
    public static final String NCCL = "libnccl.so.2";

    private final Map<String, String> environment;
    private final Path root;
    private final LinkedHashSet<SearchPlace> places = new LinkedHashSet<>();

    private SearchPlaces(Map<String, String> environment, Path root) {
        this.environment = environment;
        this.root = root;
    }

    /** Returns the places on this machine. */
    public static List<SearchPlace> here() {
        return of(Optional.ofNullable(System.getProperty(PROPERTY)), System.getenv(), Path.of("/"));
    }

    /**
     * Returns the places for the given settings.
     *
     * @param property the value of {@link #PROPERTY}, which has priority over {@link #ENVIRONMENT}
     * @param root the folder that holds {@code usr}
     */
    static List<SearchPlace> of(Optional<String> property, Map<String, String> environment, Path root) {
        SearchPlaces search = new SearchPlaces(environment, root);
        property.ifPresentOrElse(
                value -> search.addSetting(PROPERTY, value),
                () -> search.addSetting(ENVIRONMENT, search.variable(ENVIRONMENT)));
        search.places.add(SearchPlace.SYSTEM_LOADER);
        search.addToolkits();
        search.addWheels();
        return List.copyOf(search.places);
    }

    private String variable(String name) {
        return environment.getOrDefault(name, "");
    }

    private static List<Path> paths(String value) {
        return Stream.of(value.split(File.pathSeparator))
                .filter(Predicate.not(String::isBlank))
                .map(Path::of)
                .toList();
    }

    private void addSetting(String origin, String value) {
        paths(value).forEach(folder -> places.add(SearchPlace.folder(origin, folder)));
    }

    private void addToolkits() {
        for (String name : List.of("CUDA_HOME", "CUDA_PATH")) {
            paths(variable(name)).forEach(home -> addToolkit(name, home));
        }
        Path local = root.resolve("usr/local");
        // Names end in versions, so the reverse order begins with the newest.
        children(local, name -> name.startsWith("cuda")).reversed().forEach(home -> addToolkit("a toolkit", home));
    }

    private void addToolkit(String origin, Path home) {
        addIfFolder(origin, home.resolve("lib64"));
        children(home.resolve("targets"), name -> true).forEach(target -> addIfFolder(origin, target.resolve("lib")));
    }

    /** Adds the wheels of Python installations, which are found by the programs on the PATH: their packages are next to them. */
    private void addWheels() {
        List<Path> prefixes = new ArrayList<>();
        paths(variable("PATH")).stream()
                .filter(folder -> folder.endsWith("bin"))
                .map(Path::getParent)
                .forEach(prefixes::add);
        paths(variable("HOME")).forEach(home -> prefixes.add(home.resolve(".local")));
        paths(variable("PYTHONPATH")).forEach(this::addPackages);
        prefixes.forEach(prefix -> children(prefix.resolve("lib"), name -> name.startsWith("python3"))
                .forEach(python -> {
                    addPackages(python.resolve("site-packages"));
                    addPackages(python.resolve("dist-packages"));
                }));
    }

    private void addPackages(Path packages) {
        children(packages.resolve("nvidia"), name -> true).reversed().stream()
                .map(part -> part.resolve("lib"))
                .filter(SearchPlaces::hasLibrary)
                .forEach(folder -> places.add(SearchPlace.folder("a Python wheel", folder)));
    }

    /** Returns true if the folder contains a known library. NVIDIA has many other wheels. */
    private static boolean hasLibrary(Path folder) {
        return Stream.concat(
                        Stream.of(NCCL),
                        CudaLibrary.MAJORS.stream()
                                .flatMap(
                                        major -> Stream.of(CudaLibrary.values()).map(library -> library.file(major))))
                .anyMatch(file -> Files.exists(folder.resolve(file)));
    }

    private void addIfFolder(String origin, Path folder) {
        if (Files.isDirectory(folder)) {
            places.add(SearchPlace.folder(origin, folder));
        }
    }

    /** Returns the files of a folder, sorted by name; empty if the folder does not exist or cannot be read. */
    private static List<Path> children(Path folder, Predicate<String> names) {
        if (!Files.isDirectory(folder) || !Files.isReadable(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> names.test(file.getFileName().toString()))
                    .sorted(Comparator.naturalOrder())
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
