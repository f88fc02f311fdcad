package dev.outpost.house.structure;

import dev.outpost.house.source.JavaLexer;
import dev.outpost.house.source.JavaToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Counts lines of Java that are neither blank nor comment only. */
final class CodeLines {
    private CodeLines() {}

    /** The lines of main code by module, the folder that has {@code src/main/java}. */
    static Map<String, Integer> byModule(Path root) {
        Map<String, Integer> lines = new TreeMap<>();
        for (Path sources : ModuleFolders.mainSources(root)) {
            lines.put(
                    root.relativize(sources.getParent().getParent().getParent()).toString(), below(sources));
        }
        return lines;
    }

    private static int below(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .mapToInt(CodeLines::ofFile)
                    .sum();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private static int ofFile(Path file) {
        try {
            return of(Files.readString(file));
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    static int of(String text) {
        BitSet lines = new BitSet();
        int line = 0;
        int counted = 0;
        for (JavaToken token : JavaLexer.tokens(text)) {
            line += newlines(text, counted, token.start());
            int last = line + newlines(text, token.start(), token.end());
            if (token.kind() != JavaToken.Kind.COMMENT) {
                lines.set(line, last + 1);
            }
            line = last;
            counted = token.end();
        }
        return lines.cardinality();
    }

    private static int newlines(String text, int from, int to) {
        return (int)
                text.substring(from, to).chars().filter(each -> each == '\n').count();
    }
}
