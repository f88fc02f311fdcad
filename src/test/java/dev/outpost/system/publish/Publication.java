package dev.outpost.system.publish;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** The folder that "./outpost publish" writes. */
final class Publication {
    static final String VERSION = "0.2.0-SNAPSHOT";

    /** Made by the first test that asks for it, from a copy of the sources, and removed with this JVM. */
    private static final class Shared {
        static final Publication PUBLICATION = publish("shared", Map.of());
    }

    private final Path folder;

    private Publication(Path folder) {
        this.folder = folder;
    }

    /** The publication that all tests of this JVM share. */
    static Publication shared() {
        return Shared.PUBLICATION;
    }

    /** A new publication, built from a copy of the sources in a folder of that name. */
    static Publication publish(String name, Map<String, String> variables, String... options) {
        try {
            Path root = Files.createTempDirectory("published");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(root)));
            Path sources = SourceTree.copyTo(root.resolve(name));
            Path folder = root.resolve("repository");
            ExternalProgram publish = ExternalProgram.in(
                            sources, sources.resolve("outpost").toString(), "publish", folder.toString())
                    .with(List.of(options));
            for (Map.Entry<String, String> variable : variables.entrySet()) {
                publish = publish.with(variable.getKey(), variable.getValue());
            }
            publish.run();
            return new Publication(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** A new name for the repository, because a local repository does not update artefacts of a repository with the same name for a day. */
    static String repositoryId() {
        return "outpost-" + UUID.randomUUID();
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
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
