package dev.outpost.provider;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests the known name that is nearest to a mistyped one. */
public final class NearestName {
    private NearestName() {}

    /** Returns {@code no GPU is called A1000; did you mean A100?}, or the first half alone if no name is near. */
    public static String sentence(String kind, String name, Collection<String> known) {
        String opening = "no " + kind + " is called " + name;
        return among(known, name)
                .map(nearest -> opening + "; did you mean " + nearest + "?")
                .orElse(opening + ".");
    }

    /**
     * Returns the known name that needs the fewest edits; the first one of several. Empty if more than a third of the
     * letters differ.
     */
    static Optional<String> among(Collection<String> known, String name) {
        int tolerance = (name.length() + 2) / 3;
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .filter(nearest -> distance(name, nearest) <= tolerance);
    }

    /** Levenshtein's distance, ignoring case: insertions, removals and replacements of one letter. */
    static int distance(String left, String right) {
        String from = left.toLowerCase(Locale.ROOT);
        String to = right.toLowerCase(Locale.ROOT);
        int[] previous = firstRow(to.length());
        for (int row = 1; row <= from.length(); row++) {
            previous = nextRow(previous, from.charAt(row - 1), to, row);
        }
        return previous[to.length()];
    }

    private static int[] firstRow(int length) {
        int[] row = new int[length + 1];
        for (int column = 0; column <= length; column++) {
            row[column] = column;
        }
        return row;
    }

    private static int[] nextRow(int[] previous, char letter, String to, int first) {
        int[] row = new int[previous.length];
        row[0] = first;
        for (int column = 1; column < row.length; column++) {
            int replace = previous[column - 1] + (letter == to.charAt(column - 1) ? 0 : 1);
            row[column] = Math.min(replace, 1 + Math.min(previous[column], row[column - 1]));
        }
        return row;
    }
}
