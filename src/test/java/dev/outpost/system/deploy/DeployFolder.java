package dev.outpost.system.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files of {@code deploy/}, as they lie in the source tree. */
final class DeployFolder {
    /** The root of the source tree. */
    static final Path TREE = Path.of("../..").toAbsolutePath().normalize();

    static final Path ROOT = TREE.resolve("deploy");
    static final Path BASE = ROOT.resolve("base");

    private DeployFolder() {}

    static Path overlay(String name) {
        return ROOT.resolve("overlays").resolve(name);
    }

    static Path component(String name) {
        return ROOT.resolve("components").resolve(name);
    }

    static List<Path> yaml() {
        return find(file -> file.toString().endsWith(".yaml"));
    }

    static List<Path> kustomizations() {
        return find(file -> file.endsWith(Kustomization.FILE));
    }

    /** The settings of clients, in the base and the overlays. */
    static List<Path> settings() {
        return find(file -> file.endsWith("settings.env"));
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<Path> find(Predicate<Path> wanted) {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(Files::isRegularFile).filter(wanted).sorted().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
