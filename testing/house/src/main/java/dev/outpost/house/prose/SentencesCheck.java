package dev.outpost.house.prose;

import dev.outpost.house.source.SourceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Compares the odd sentences of each module and of the documents with the limits, which may only become lower. */
public final class SentencesCheck {
    private static final String LIMITS = "testing/house/sentence-limits.tsv";
    private static final String COMMENT = """
            # How many sentences of a module's Javadoc, or of documents, match a pattern of SentencePattern. SentencesCheckTest fails where
            # there are more. Numbers may only become lower: "./outpost sentences --lower" writes them.
            """;

    private final Path limitsFile;
    private final Map<String, Integer> limits;
    private final Map<String, List<Sentence>> sentences;

    private SentencesCheck(Path limitsFile, Map<String, List<Sentence>> sentences) throws IOException {
        this.limitsFile = limitsFile;
        this.limits = readLimits(limitsFile);
        this.sentences = sentences;
    }

    /** Reads the main code outside of {@code testing} and the documents below a root. */
    public static SentencesCheck of(Path root) throws IOException {
        Map<String, List<Sentence>> sentences = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(file ->
                            file.toString().endsWith(".java") || file.toString().endsWith(".md"))
                    .sorted()
                    .forEach(file -> {
                        String path = root.relativize(file).toString().replace('\\', '/');
                        if (isMainCode(path)) {
                            add(sentences, SourceFile.moduleOf(path), Sentences.ofJavadoc(path, read(file)));
                        } else if (isDocument(path)) {
                            add(
                                    sentences,
                                    path.startsWith("docs/adr/") ? "docs/adr" : "docs",
                                    Sentences.ofMarkdown(path, read(file)));
                        }
                    });
        }
        return new SentencesCheck(root.resolve(LIMITS), sentences);
    }

    private static boolean isMainCode(String path) {
        return path.contains("/src/main/java/") && path.endsWith(".java") && !path.startsWith("testing/");
    }

    private static boolean isDocument(String path) {
        return path.endsWith(".md") && (path.startsWith("docs/") || !path.contains("/"));
    }

    private static void add(Map<String, List<Sentence>> sentences, String module, List<Sentence> more) {
        sentences.computeIfAbsent(module, ignored -> new ArrayList<>()).addAll(more);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Map<String, Integer> readLimits(Path file) throws IOException {
        Map<String, Integer> limits = new TreeMap<>();
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            if (!line.startsWith("#")) {
                String[] cells = line.split("\t");
                limits.put(cells[0], Integer.valueOf(cells[1]));
            }
        }
        return limits;
    }

    /** Returns the odd sentences of a module, or of documents. */
    List<Sentence> odd(String module) {
        return sentences.getOrDefault(module, List.of()).stream()
                .filter(sentence -> SentencePattern.of(sentence).isPresent())
                .toList();
    }

    /** Returns all sentences, in the order of modules and files. */
    List<Sentence> all() {
        return sentences.values().stream().flatMap(List::stream).toList();
    }

    /** Returns one line for each module that has more odd sentences than its limit. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (String module : sentences.keySet()) {
            int count = odd(module).size();
            int limit = limits.getOrDefault(module, 0);
            if (count > limit) {
                problems.add(module + ": " + count + " odd sentences, the limit is " + limit + "; ./outpost sentences "
                        + module + " prints them");
            }
        }
        return problems;
    }

    /** Returns a table of the modules with their sentences, odd ones, and share. */
    String table() {
        StringBuilder table = new StringBuilder("sentences      odd\n");
        int all = 0;
        int allOdd = 0;
        for (String module : sentences.keySet()) {
            int count = sentences.get(module).size();
            int odd = odd(module).size();
            all += count;
            allOdd += odd;
            table.append(row(count, odd, module));
        }
        return table.append(row(all, allOdd, "all")).toString();
    }

    private static String row(int count, int odd, String name) {
        return String.format("%9d %8d %5.1f %%  %s%n", count, odd, 100.0 * odd / Math.max(1, count), name);
    }

    /** Writes the present numbers as limits if they are lower. */
    void lower() throws IOException {
        StringBuilder text = new StringBuilder(COMMENT);
        for (String module : sentences.keySet()) {
            int count = odd(module).size();
            text.append(module)
                    .append('\t')
                    .append(Math.min(count, limits.getOrDefault(module, limits.isEmpty() ? count : 0)))
                    .append('\n');
        }
        Files.writeString(limitsFile, text);
    }
}
