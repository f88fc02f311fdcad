package dev.outpost.system.backend.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The programs of PostgreSQL that the first backend of this JVM has unpacked, for later backends: unpacking takes longer than the rest of
 * a backend's start.
 */
final class UnpackedPostgres {
    private static Path kept;

    private UnpackedPostgres() {}

    /** Copies the kept programs to the folder of a backend that has none yet. */
    static synchronized void lend(Path folder) {
        Path programs = programs(folder);
        if (kept == null || Files.exists(programs)) {
            return;
        }
        try {
            Files.createDirectories(programs.getParent());
            copy(kept, programs);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Keeps a copy of the programs of a backend, once. */
    static synchronized void keep(Path folder) {
        Path programs = programs(folder);
        if (kept != null || !Files.isDirectory(programs)) {
            return;
        }
        try {
            Path parent = Files.createTempDirectory("outpost-postgresql");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(parent)));
            Path copy = parent.resolve("postgresql");
            copy(programs, copy);
            kept = copy;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Path programs(Path folder) {
        return folder.resolve("postgres").resolve("postgresql");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Files.copy(
                        each,
                        to.resolve(from.relativize(each).toString()),
                        StandardCopyOption.COPY_ATTRIBUTES,
                        LinkOption.NOFOLLOW_LINKS);
            }
        }
    }

    static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(each -> each.toFile().delete());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
