package dev.outpost.house.rename;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The class path for the sources of all modules: the dependencies of each module as Maven resolves them, including those of tests,
 * benchmarks and races. Maven is asked once, and again when a pom.xml has changed. The classes of our own modules come last: all sources
 * are given to the compiler, and only generated classes are taken from there.
 */
final class CompilerClassPath {
    private static final String FILE = "target/house-classpath";
    /** A file that is written after Maven has written all others. */
    private static final String DONE = "target/house-classpath.done";

    private CompilerClassPath() {}

    static String of(Path root) throws IOException, InterruptedException {
        List<Path> modules = modules(root);
        if (!isCurrent(root, modules)) {
            askMaven(root);
        }
        Set<String> libraries = new LinkedHashSet<>();
        Set<String> own = new LinkedHashSet<>();
        for (Path module : modules) {
            Path file = module.resolve(FILE);
            if (Files.exists(file)) {
                for (String entry : Files.readString(file).strip().split(File.pathSeparator)) {
                    (entry.startsWith(root.toString()) ? own : libraries).add(entry);
                }
                own.add(module.resolve("target/classes").toString());
            }
        }
        libraries.addAll(own);
        return String.join(File.pathSeparator, libraries);
    }

    private static boolean isCurrent(Path root, List<Path> modules) throws IOException {
        Path written = root.resolve(DONE);
        if (!Files.exists(written)) {
            return false;
        }
        for (Path module : modules) {
            if (Files.getLastModifiedTime(module.resolve("pom.xml")).compareTo(Files.getLastModifiedTime(written))
                    > 0) {
                return false;
            }
        }
        return true;
    }

    private static void askMaven(Path root) throws IOException, InterruptedException {
        System.err.println("asking Maven for the class paths of all modules ...");
        int status = new ProcessBuilder(
                        root.resolve("mvnw").toString(),
                        "-q",
                        "-Pbench,stress",
                        "-Dspotless.check.skip",
                        "-Dquarkus.build.skip",
                        "test-compile",
                        "dependency:build-classpath",
                        "-Dmdep.outputFile=" + FILE)
                .directory(root.toFile())
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("Maven ended with " + status + ", so the class paths of the modules are not known");
        }
        Files.writeString(root.resolve(DONE), "");
    }

    private static List<Path> modules(Path root) throws IOException {
        List<Path> modules = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                if (name.equals("target") || name.equals(".git") || folder.endsWith("src/main")) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                if (Files.exists(folder.resolve("pom.xml"))) {
                    modules.add(folder);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return modules;
    }
}
