package dev.outpost.house.check;

import dev.outpost.house.source.CamelCase;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The banned names of classes. A name of one word is also English and may be right elsewhere, so it is banned in its modules. A name of
 * several words is banned everywhere, unless its row says that it is right elsewhere.
 */
record BannedNames(Map<String, List<BannedWord>> byName) {
    static BannedNames of(BannedWords words) {
        return new BannedNames(words.of(BannedWord.Kind.CLASS).collect(Collectors.groupingBy(BannedWord::word)));
    }

    /**
     * Returns why a name is banned.
     *
     * @param owner the enclosing class, empty for a top-level class; null if it is unknown
     */
    Optional<BannedWord> find(String name, String owner, String module) {
        List<BannedWord> rows = byName.getOrDefault(name, List.of()).stream()
                .filter(row -> owner == null || isOf(row, owner))
                .toList();
        return rows.stream()
                .filter(row -> row.holdsIn(module))
                .findFirst()
                .or(() -> CamelCase.hasSeveralWords(name)
                        ? rows.stream().filter(row -> !row.isOnlyThere()).findFirst()
                        : Optional.empty());
    }

    /** A row without an enclosing class is about a top-level type. */
    private static boolean isOf(BannedWord row, String owner) {
        return row.beside().isEmpty() ? owner.isEmpty() : row.beside().contains(owner);
    }
}
