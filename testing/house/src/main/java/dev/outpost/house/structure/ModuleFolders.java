package dev.outpost.house.structure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The folders of the modules with main code, without those of tests and tools below {@code testing/}. */
public final class ModuleFolders {
    private static final int DEPTH = 5;

    private ModuleFolders() {}

    static List<Path> mainSources(Path root) {
        return ending(root, Path.of("src/main/java"));
    }

    public static List<Path> compiledClasses(Path root) {
        return ending(root, Path.of("target/classes"));
    }

    private static List<Path> ending(Path root, Path end) {
        try (Stream<Path> folders = Files.find(root, DEPTH, (folder, attributes) -> attributes.isDirectory())) {
            return folders.filter(folder -> folder.endsWith(end) && !folder.startsWith(root.resolve("testing")))
                    .sorted()
                    .toList();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }
}
