package dev.outpost.system.publish;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A third-party jar on a class path of this build, by its place in a local repository.
 *
 * @param classifier the classifier; empty if it has none
 */
record ClassPathJar(String artifact, String version, String classifier, Path file) {
    /** Such as {@code .../artifact/version/artifact-version-classifier.jar}. */
    private static final Pattern PLACE = Pattern.compile("/([^/]+)/([^/]+)/\\1-\\2(?:-([^/]+))?\\.jar$");

    /** The class path of "dev.outpost:outpost". */
    static List<ClassPathJar> ofStarter() {
        return of("packaging/starter/target/classpath");
    }

    /** The class path of the command line. */
    static List<ClassPathJar> ofCommandLine() {
        return of("cli/core/target/classpath");
    }

    private static List<ClassPathJar> of(String file) {
        return Stream.of(SourceTree.read(file).strip().split(File.pathSeparator))
                .map(Path::of)
                .flatMap(entry -> parse(entry).stream())
                .toList();
    }

    private static Optional<ClassPathJar> parse(Path entry) {
        Matcher place = PLACE.matcher(entry.toString().replace(File.separatorChar, '/'));
        if (!place.find() || place.group(1).startsWith("outpost")) {
            return Optional.empty();
        }
        String classifier = place.group(3) == null ? "" : place.group(3);
        return Optional.of(new ClassPathJar(place.group(1), place.group(2), classifier, entry));
    }

    /** Artefact, classifier and version. */
    String coordinates() {
        return artifact + (classifier.isEmpty() ? "" : ":" + classifier) + ":" + version;
    }
}
