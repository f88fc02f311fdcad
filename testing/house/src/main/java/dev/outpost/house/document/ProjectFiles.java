package dev.outpost.house.document;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The documents and Java sources below a root, without generated files and test data. */
record ProjectFiles(List<Path> pages, List<Path> sources) {
    private static final Set<String> NOT_READ = Set.of("target", ".git", "docs/api", "src/test/resources");

    static ProjectFiles below(Path root) throws IOException {
        List<Path> pages = new ArrayList<>();
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NOT_READ.stream().anyMatch(folder::endsWith)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".java")) {
                    sources.add(file);
                } else if (file.toString().endsWith(".md")) {
                    pages.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        pages.sort(null);
        sources.sort(null);
        return new ProjectFiles(pages, sources);
    }
}
