package dev.outpost.internal.ops;

import dev.outpost.Index;
import dev.outpost.types.OpException;
import java.util.Arrays;

/** Parses index expressions as in Python's brackets. */
public final class IndexText {
    private final String whole;

    private IndexText(String whole) {
        this.whole = whole;
    }

    /** Parses integers, slices, {@code ...} and {@code None}, separated by commas. */
    public static Index[] parse(String text) {
        IndexText parser = new IndexText(text);
        if (text.isBlank()) {
            throw parser.problem("");
        }
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .map(parser::step)
                .toArray(Index[]::new);
    }

    private Index step(String part) {
        return switch (part) {
            case "..." -> Index.ellipsis();
            case "None" -> Index.newAxis();
            default -> part.contains(":") ? slice(part) : Index.at(integer(part, part));
        };
    }

    private Index slice(String part) {
        String[] bounds = part.split(":", -1);
        if (bounds.length > 3) {
            throw problem(part);
        }
        Long step = bounds.length == 3 ? bound(bounds[2], part) : null;
        return Index.slice(bound(bounds[0], part), bound(bounds[1], part), step == null ? 1 : step);
    }

    private Long bound(String text, String part) {
        return text.isBlank() ? null : integer(text.strip(), part);
    }

    private long integer(String text, String part) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException ignored) {
            throw problem(part);
        }
    }

    private OpException problem(String part) {
        return new OpException(
                "get", "an index is an integer, a slice, ... or None, got '" + part + "' in '" + whole + "'");
    }
}
