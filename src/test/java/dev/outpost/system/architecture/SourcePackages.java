package dev.outpost.system.architecture;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The packages of the product's sources, read from all modules, with the packages that each of them names. Comments and strings do not
 * count, imports do.
 */
final class SourcePackages {
    private static final Set<String> WITHOUT_SOURCES = Set.of("target", ".git", "docs");
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern COMMENT_OR_TEXT =
            Pattern.compile("/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"(\\\\.|[^\"\\\\\\n])*\"", Pattern.DOTALL);
    private static final Pattern QUALIFIED = Pattern.compile("\\b(dev\\.outpost(?:\\.[a-z]\\w*)*)\\.(?=[A-Z*])");

    private SourcePackages() {}

    /** The Java files of all modules, tests included. */
    static List<Path> files(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return WITHOUT_SOURCES.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".java")) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    /** The other packages of this project that its classes name, by package. */
    static Map<String, Set<String>> below(Path root) throws IOException {
        Map<String, Set<String>> named = new TreeMap<>();
        for (Path file : files(root)) {
            if (root.relativize(file).toString().replace('\\', '/').contains("/src/main/java/")) {
                add(Files.readString(file), named);
            }
        }
        return named;
    }

    static void add(String source, Map<String, Set<String>> named) {
        Matcher declared = PACKAGE.matcher(source);
        if (!declared.find()) {
            return;
        }
        Set<String> others = new HashSet<>();
        Matcher names = QUALIFIED.matcher(COMMENT_OR_TEXT.matcher(source).replaceAll(" "));
        while (names.find()) {
            others.add(names.group(1));
        }
        others.remove(declared.group(1));
        named.computeIfAbsent(declared.group(1), ignored -> new TreeSet<>()).addAll(others);
    }
}
