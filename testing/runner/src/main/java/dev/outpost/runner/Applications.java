package dev.outpost.runner;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The Quarkus applications that system tests start as processes. Quarkus builds each of them again in every run of Maven, which takes
 * about 30 seconds of CPU time for each. A stamp names the files from which they were built, so that the build can be skipped while these
 * files are unchanged.
 */
final class Applications {
    private static final String JARS = "*-runner.jar";
    private static final Path SOURCES = Path.of("src", "main");
    private static final Set<String> WITHOUT_SOURCES = Set.of("target", ".git", "docs");

    private final Path root;
    private final Modules modules;
    private final Path stamp;
    private final Set<String> sources;

    /** Reads the sources' times before the run, so that a change during the run counts as a later one. */
    Applications(Path root, Modules modules, Path work) throws IOException {
        this.root = root;
        this.modules = modules;
        stamp = work.resolve("applications");
        sources = sources();
    }

    /** Returns true if Maven need not build them. */
    boolean areBuilt() throws IOException {
        return Files.exists(stamp) && Files.readAllLines(stamp).equals(description());
    }

    /** Call this after a run that has built all of them. */
    void markBuilt() throws IOException {
        Files.write(stamp, description());
    }

    private List<String> description() throws IOException {
        Set<String> lines = new TreeSet<>(sources);
        for (BuildModule module : modules.all()) {
            Path built = root.resolve(module.path()).resolve("target");
            if (!Files.isDirectory(built)) {
                continue;
            }
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(built, JARS)) {
                for (Path jar : jars) {
                    lines.add(line(jar, Files.readAttributes(jar, BasicFileAttributes.class)));
                }
            }
        }
        return List.copyOf(lines);
    }

    private Set<String> sources() throws IOException {
        Set<String> lines = new TreeSet<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return WITHOUT_SOURCES.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (isSource(file)) {
                    lines.add(line(file, attributes));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return lines;
    }

    private boolean isSource(Path file) {
        return file.endsWith("pom.xml") || root.relativize(file).toString().contains(SOURCES.toString());
    }

    /** The stamp contains the root, so the applications of a copied or moved tree are built again. */
    private static String line(Path file, BasicFileAttributes attributes) {
        return file + "\t" + attributes.size() + "\t" + attributes.lastModifiedTime();
    }
}
