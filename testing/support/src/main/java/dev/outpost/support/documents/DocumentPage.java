package dev.outpost.support.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The blocks of a document that the tests compile and run, in their order. A block of Java is a piece of one script, or a file if it has a
 * main method. A comment {@code <!-- java ... -->} holds code that the page leaves out, such as the imports. A block of the console shows
 * a command and its output.
 *
 * @param path the path in the repository
 */
public record DocumentPage(Path path, List<Block> blocks) {
    private static final Pattern FENCE = Pattern.compile("^```(\\w*) ?(.*)$");
    private static final String HIDDEN = "<!-- java";
    private static final Pattern IMPORT = Pattern.compile("^import [\\w.* ]+;.*$", Pattern.MULTILINE);
    private static final Pattern NEEDS = Pattern.compile("title=\"needs (?:an? )?([a-z]+)\"");
    private static final Pattern MAIN = Pattern.compile("static void main\\(");
    private static final Pattern CLASS = Pattern.compile("^public class (\\w+)", Pattern.MULTILINE);

    /**
     * A block.
     *
     * @param language {@code java} or {@code console}
     * @param needs the part that this host lacks to run the block, such as {@code cluster}; empty if the block runs
     * @param line the line of its first line of code
     */
    public record Block(String language, Optional<String> needs, boolean isHidden, int line, String code) {
        public boolean isJava() {
            return language.equals("java");
        }

        public boolean isFile() {
            return isJava() && !isHidden && MAIN.matcher(code).find();
        }

        /** Returns the name of the class with the main method. */
        public String className() {
            Matcher matcher = CLASS.matcher(code);
            if (!matcher.find()) {
                throw new IllegalArgumentException("line " + line + ": a file needs a public class");
            }
            return matcher.group(1);
        }

        private Stream<String> imports() {
            return IMPORT.matcher(code)
                    .results()
                    .map(result -> result.group().replaceAll("//.*$", "").strip());
        }

        private String statements() {
            return IMPORT.matcher(code).replaceAll("");
        }
    }

    /**
     * Returns all documents of users that have blocks of Java.
     *
     * @param root the folder of the repository
     */
    public static List<DocumentPage> all(Path root) throws IOException {
        List<DocumentPage> pages = new ArrayList<>();
        try (Stream<Path> documents = Files.walk(root.resolve("docs"))) {
            List<Path> paths = Stream.concat(Stream.of(root.resolve("README.md")), documents)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList();
            for (Path path : paths) {
                DocumentPage page = parse(root.relativize(path), Files.readAllLines(path));
                if (page.blocks.stream().anyMatch(block -> block.isJava() && !block.isHidden())) {
                    pages.add(page);
                }
            }
        }
        return pages;
    }

    /** @param path the path in the repository, for errors */
    public static DocumentPage parse(Path path, List<String> lines) {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher fence = FENCE.matcher(line);
            boolean isHidden = line.equals(HIDDEN);
            if (!isHidden && !fence.matches()) {
                continue;
            }
            int first = i + 1;
            String end = isHidden ? "-->" : "```";
            while (!lines.get(++i).equals(end)) {
                if (i + 1 == lines.size()) {
                    throw new IllegalArgumentException(path + ":" + first + ": the block has no end");
                }
            }
            String language = isHidden ? "java" : fence.group(1);
            if (language.equals("java") || language.equals("console")) {
                String code = String.join("\n", lines.subList(first, i)) + "\n";
                blocks.add(new Block(
                        language, needs(path, first, isHidden ? "" : fence.group(2)), isHidden, first + 1, code));
            }
        }
        return new DocumentPage(path, blocks);
    }

    private static Optional<String> needs(Path path, int line, String attributes) {
        if (attributes.isEmpty()) {
            return Optional.empty();
        }
        Matcher matcher = NEEDS.matcher(attributes);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    path + ":" + line + ": expected title=\"needs a PART\" behind the language, got " + attributes);
        }
        return Optional.of(matcher.group(1));
    }

    /** Returns the name of the class of its script. */
    public String scriptName() {
        return "Page_" + path.toString().replaceAll("\\W", "_");
    }

    public boolean hasScript() {
        return blocks.stream().anyMatch(block -> block.isJava() && !block.isFile());
    }

    /** Returns true if a block needs this part. */
    public boolean needs(String part) {
        return blocks.stream().anyMatch(block -> block.needs().equals(Optional.of(part)));
    }

    /**
     * Returns the source of a class whose method {@code run} has all blocks of the script. Each line of the page has the same number in
     * the source, so errors of the compiler name it.
     */
    public String script() {
        Set<String> imports = new LinkedHashSet<>();
        StringBuilder source = new StringBuilder();
        blocks.stream().filter(block -> block.isJava() && !block.isFile()).forEach(block -> {
            block.imports().forEach(imports::add);
        });
        source.append("package pages; ").append(String.join(" ", imports));
        source.append(" public final class %s { public static void run() throws Exception {".formatted(scriptName()));
        int line = 1;
        for (Block block : blocks) {
            if (!block.isJava() || block.isFile()) {
                continue;
            }
            source.append("\n".repeat(block.line() - line - 1));
            boolean runs = block.needs().isEmpty();
            source.append(
                    runs
                            ? "\n"
                            : "if (Boolean.getBoolean(\"pages." + block.needs().get() + "\")) {\n");
            source.append(block.statements());
            source.append(runs ? "" : "}");
            line = block.line() + (int) block.code().lines().count();
        }
        return source.append("}}\n").toString();
    }
}
