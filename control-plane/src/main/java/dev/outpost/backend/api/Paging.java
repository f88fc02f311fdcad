package dev.outpost.backend.api;

import dev.outpost.rest.Page;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/** Parts of lists, and the cursors that name their positions. */
public final class Paging {
    static final int DEFAULT = 100;

    private Paging() {}

    /** One more than asked for was read, which tells whether there are more. */
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

    public static Problem badCursor() {
        return Problem.invalid("cursor: expected what a page calls next, got something else; begin without one");
    }
}
