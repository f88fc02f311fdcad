package dev.outpost.house.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The banned names and words, as {@code words.tsv} lists them. */
public record BannedWords(List<BannedWord> all) {
    private static final int COLUMNS = 5;
    private static final String ONLY = "only ";

    /** Reads a file. */
    public static BannedWords read(Path file) throws IOException {
        return new BannedWords(
                TsvTable.read(file, COLUMNS).stream().map(BannedWords::word).toList());
    }

    private static BannedWord word(List<String> row) {
        String modules = row.get(3);
        boolean isOnlyThere = modules.startsWith(ONLY);
        return new BannedWord(
                BannedWord.Kind.of(row.get(0)),
                row.get(1),
                list(row.get(2)),
                list(isOnlyThere ? modules.substring(ONLY.length()) : modules),
                isOnlyThere,
                row.get(4));
    }

    static List<String> list(String cell) {
        return Arrays.stream(cell.split("\\|"))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    Stream<BannedWord> of(BannedWord.Kind kind) {
        return all.stream().filter(word -> word.kind() == kind);
    }
}
