package dev.outpost.bench.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder for the files of one benchmark, deleted at the end. If a process that is still ending writes to it, it remains.
 */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;

    public TemporaryFolder(String benchmark) throws IOException {
        path = Files.createTempDirectory("outpost-bench-" + benchmark);
    }

    public Path path() {
        return path;
    }

    /** Deletes the content of a folder, including that of its folders, but not the folder itself. */
    public static void empty(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(folder)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            empty(path);
            Files.delete(path);
        } catch (IOException failure) {
            System.out.println(path + " is left behind: " + failure);
        }
    }
}
