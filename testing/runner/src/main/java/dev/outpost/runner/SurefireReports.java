package dev.outpost.runner;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Surefire's reports below the modules. */
final class SurefireReports {
    private static final String FOLDER = "surefire-reports";
    private static final Set<String> WITHOUT_REPORTS = Set.of("src", ".git", "docs", "classes", "test-classes");

    private SurefireReports() {}

    /** Removes the results of an earlier run, and makes a folder for this run's events. */
    static Path prepare(Path root, Path work, boolean coverage) throws IOException {
        for (Path folder : folders(root)) {
            delete(folder);
        }
        if (coverage) {
            Files.deleteIfExists(Coverage.data(root));
        }
        Path events = work.resolve("events");
        delete(events);
        return Files.createDirectories(events);
    }

    /** The XML files of all modules. */
    static List<Path> files(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path folder : folders(root)) {
            try (Stream<Path> found = Files.list(folder)) {
                found.filter(SurefireReports::isReport).sorted().forEach(files::add);
            }
        }
        return files;
    }

    private static boolean isReport(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith("TEST-") && name.endsWith(".xml");
    }

    private static List<Path> folders(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                if (name.equals(FOLDER)) {
                    found.add(folder);
                    return FileVisitResult.SKIP_SUBTREE;
                }
                boolean isSystemTests = folder.equals(root.resolve("src"));
                return WITHOUT_REPORTS.contains(name) && !isSystemTests
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
