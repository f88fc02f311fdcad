package dev.outpost.backend.api;

import dev.outpost.backend.store.MachineRows;
import dev.outpost.rest.Page;
import jakarta.ws.rs.QueryParam;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * The parameters of a request for a page of a list. The cursor of a page is the position of the last row of the
 * previous page.
 */
public class PageRequest {
    static final int DEFAULT = 100;

    @QueryParam("cursor")
    Optional<String> cursor;

    @QueryParam("limit")
    Integer limit;

    /** Makes a page. If a next page exists, {@code rows} has one row more than the page may have. */
    public <R, T> Page<T> of(List<R> rows, Function<R, T> view, Function<R, String> position) {
        List<R> shown = rows.subList(0, Math.min(limit(), rows.size()));
        String next = rows.size() > limit() ? encode(position.apply(shown.getLast())) : null;
        return new Page<>(shown.stream().map(view).toList(), next);
    }

    /** Returns the number of rows that the query reads: one more than the size of the page. */
    public int rows() {
        return limit() + 1;
    }

    private int limit() {
        if (limit == null) {
            return DEFAULT;
        }
        if (limit < 1 || limit > Bounds.PAGE) {
            throw Problem.invalid("limit: expected 1 to " + Bounds.PAGE + ", got " + limit);
        }
        return limit;
    }

    private static String encode(String position) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the name after which the page begins, for a list ordered by name; "" for the first page. */
    public String name() {
        return position().orElse("");
    }

    /** Returns the text of the position after which the page begins; empty for the first page. */
    public Optional<String> position() {
        return cursor.map(PageRequest::decode);
    }

    private static String decode(String cursor) {
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

    /** Returns the number after which the page begins; empty for the first page. */
    public Optional<Long> number() {
        return position().map(number -> {
            if (!number.matches("\\d{1,18}")) {
                throw badCursor();
            }
            return Long.parseLong(number);
        });
    }

    /**
     * Returns the position after which the page begins; empty for the first page. A cursor has the parts of a
     * position, separated by spaces.
     *
     * @param parse makes the position from {@code count} parts; if it throws, the cursor is invalid
     */
    public <P> Optional<P> position(int count, Function<String[], P> parse) {
        return position().map(text -> {
            String[] parts = text.split(" ", count);
            if (parts.length < count) {
                throw badCursor();
            }
            try {
                return parse.apply(parts);
            } catch (RuntimeException ignored) {
                throw badCursor();
            }
        });
    }

    /**
     * Returns the position after which the page begins, for a list with the newest row first; empty for the first
     * page.
     */
    public Optional<MachineRows.Position> created() {
        return position(
                2,
                parts -> new MachineRows.Position(
                        Inputs.time("cursor", Instant.parse(parts[0])), UUID.fromString(parts[1])));
    }

    public static Problem badCursor() {
        return Problem.invalid("cursor: expected what a page calls next, got something else; begin without one");
    }
}
