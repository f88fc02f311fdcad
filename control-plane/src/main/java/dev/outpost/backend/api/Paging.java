package dev.outpost.backend.api;

import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.Sql;
import dev.outpost.rest.Page;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Parts of lists, and the cursors that name their positions. */
public final class Paging {
    static final int DEFAULT = 100;

    private Paging() {}

    /** Reads up to {@code limit} rows of a list. */
    @FunctionalInterface
    public interface Rows<R> {
        List<R> read(Sql sql, int limit);
    }

    /** The query reads one row more than the page has; that row tells if there is a next page. */
    public static <R, T> Page<T> of(List<R> rows, int limit, Function<R, T> view, Function<R, String> position) {
        List<R> shown = rows.subList(0, Math.min(limit, rows.size()));
        String next = rows.size() > limit ? encode(position.apply(shown.getLast())) : null;
        return new Page<>(shown.stream().map(view).toList(), next);
    }

    public static int limit(Integer asked) {
        if (asked == null) {
            return DEFAULT;
        }
        if (asked < 1 || asked > Bounds.PAGE) {
            throw Problem.invalid("limit: expected 1 to " + Bounds.PAGE + ", got " + asked);
        }
        return asked;
    }

    private static String encode(String position) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the name after which the page of a list begins; the list is ordered by name. */
    public static String after(Optional<String> cursor) {
        return cursor.map(Paging::decode).orElse("");
    }

    public static String decode(String cursor) {
        try {
            String position = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            if (position.chars().anyMatch(Character::isISOControl)) {
                throw badCursor();
            }
            return position;
        } catch (IllegalArgumentException ignored) {
            throw badCursor();
        }
    }

    /** Returns the number in a cursor. */
    public static long number(String cursor) {
        String number = decode(cursor);
        if (!number.matches("\\d{1,18}")) {
            throw badCursor();
        }
        return Long.parseLong(number);
    }

    /**
     * Returns the position in a cursor, whose parts are separated by spaces.
     *
     * @param parse makes the position from {@code count} parts; if it throws, the cursor is invalid
     */
    public static <P> P position(String cursor, int count, Function<String[], P> parse) {
        String[] parts = decode(cursor).split(" ", count);
        if (parts.length < count) {
            throw badCursor();
        }
        try {
            return parse.apply(parts);
        } catch (RuntimeException ignored) {
            throw badCursor();
        }
    }

    /** Returns the position in a list that begins with the newest row. */
    public static MachineRows.Position created(String cursor) {
        return position(
                cursor,
                2,
                parts -> new MachineRows.Position(
                        Inputs.time("cursor", Instant.parse(parts[0])), UUID.fromString(parts[1])));
    }

    public static Problem badCursor() {
        return Problem.invalid("cursor: expected what a page calls next, got something else; begin without one");
    }
}
