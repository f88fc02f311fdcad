package dev.outpost.house.rename;

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

/** Files of a tree that may name a class. */
final class TextFiles {
    private static final Set<String> SKIPPED = Set.of("target", ".git", "adr", "house", "fixtures");
    private static final Set<String> ENDINGS = Set.of(
            "java",
            "md",
            "yaml",
            "yml",
            "properties",
            "sh",
            "txt",
            "sql",
            "html",
            "js",
            "json",
            "xml",
            "py",
            "cu",
            "jsh",
            "proto",
            "tsv",
            "toml",
            "go");

    private TextFiles() {}

    static List<Path> below(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (ENDINGS.contains(name.substring(name.lastIndexOf('.') + 1))
                        || file.toString().contains("META-INF")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        found.sort(Comparator.naturalOrder());
        return found;
    }

    static String relative(Path root, Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }
}
