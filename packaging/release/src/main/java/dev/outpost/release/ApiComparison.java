package dev.outpost.release;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Compares the public API of two sets of jars by japicmp.
 *
 * @param comparer the class path of japicmp
 * @param packages the names of the public packages; their subpackages are not compared
 * @param breaks the elements that may change or go, in the form {@code package.Class#member}
 */
record ApiComparison(String comparer, List<String> packages, List<String> breaks) {
    private static final String SEPARATOR = ";";

    /**
     * Reads the marked breaks of a file: a line for each, with an element, a tab and a reason. Lines that begin with # are comments.
     *
     * @throws ReleaseException if a line has no reason
     */
    static List<String> marked(Path file) throws IOException {
        List<String> elements = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] columns = line.split("\t");
            if (columns.length != 2 || columns[1].isBlank()) {
                throw new ReleaseException(
                        file.getFileName() + ": expected an element, a tab and a reason, got " + line);
            }
            elements.add(columns[0]);
        }
        return elements;
    }

    /** @throws ReleaseException if an element of the old jars is missing or incompatible in the new ones, and is not marked */
    void require(List<Path> old, List<Path> next) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(
                java,
                "-cp",
                comparer,
                "japicmp.JApiCmp",
                "--only-incompatible",
                "--only-modified",
                "--ignore-missing-classes"));
        command.addAll(List.of("--error-on-binary-incompatibility", "--error-on-source-incompatibility"));
        command.addAll(List.of("--include", String.join(SEPARATOR, packages), "--include-exclusively"));
        if (!breaks.isEmpty()) {
            command.addAll(List.of("--exclude", String.join(SEPARATOR, breaks)));
        }
        command.addAll(List.of("--old", joined(old), "--new", joined(next)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String report = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new ReleaseException(
                    "the public API is not compatible. Keep the elements, or mark them with a reason in "
                            + "docs/api/breaks.tsv:\n" + report);
        }
    }

    private static String joined(List<Path> jars) {
        return jars.stream()
                .map(Path::toString)
                .map(path -> path.replace(File.separatorChar, '/'))
                .collect(Collectors.joining(SEPARATOR));
    }
}
