package dev.outpost.system.publish;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.stream.Stream;

/** The source tree that these tests belong to. */
final class SourceTree {
    static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    /** Folders that hold no sources. */
    private static final Set<String> LEFT_OUT = Set.of("target", ".git", ".idea");

    private SourceTree() {}

    /** The text of a file in it. */
    static String read(String file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Copies the sources to a folder that does not exist yet: the build of this tree is locked while its tests run. */
    static Path copyTo(Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : (Iterable<Path>) files.filter(SourceTree::isSource)::iterator) {
                Files.copy(file, copy.resolve(ROOT.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return copy;
    }

    private static boolean isSource(Path file) {
        for (Path part : ROOT.relativize(file)) {
            if (LEFT_OUT.contains(part.toString())) {
                return false;
            }
        }
        return true;
    }
}
