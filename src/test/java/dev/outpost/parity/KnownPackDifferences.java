package dev.outpost.parity;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The cases in known-differences.txt. */
final class KnownPackDifferences {
    private static final String ROUNDING = "rounding: ";

    private KnownPackDifferences() {}

    /** The cases that rounding may decide either way. */
    static Set<String> roundings() throws IOException {
        return all(ROUNDING);
    }

    /** The cases whose reason begins like that. */
    static Set<String> all(String reason) throws IOException {
        return Files.readAllLines(JudgedPack.resource("/parity/known-differences.txt")).stream()
                .map(line -> line.split("\t"))
                .filter(columns -> columns[1].startsWith(reason))
                .map(columns -> columns[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
