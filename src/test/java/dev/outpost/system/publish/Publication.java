package dev.outpost.system.publish;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What "./outpost publish" writes into a folder. */
final class Publication {
    static final String VERSION = "0.1.0-SNAPSHOT";

    /** Made by the first test that asks for it, from a copy of the sources, and removed with this JVM. */
    private static final class Shared {
        static final Publication PUBLICATION = publish("shared");
    }

    private final Path folder;

    private Publication(Path folder) {
        this.folder = folder;
    }

    /** The one that all tests of this JVM share. */
    static Publication shared() {
        return Shared.PUBLICATION;
    }

    /** A new one, built from a copy of the sources in a folder of that name. */
    static Publication publish(String name, String... options) {
        try {
            Path root = Files.createTempDirectory("published");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(root)));
            Path sources = SourceTree.copyTo(root.resolve(name));
            Path folder = root.resolve("repository");
            String launcher = sources.resolve("outpost").toString();
            Command.in(
                            sources,
                            Stream.concat(Stream.of(launcher, "publish", folder.toString()), Stream.of(options))
                                    .toArray(String[]::new))
                    .run();
            return new Publication(folder);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** The folder, which is a Maven repository. */
    Path repository() {
        return folder;
    }

    /** The zip for hosts without a clone. */
    Path zip() {
        return folder.resolve("outpost-dist-" + VERSION + ".zip");
    }

    /** All files, in the order of their names. */
    List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void delete(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
