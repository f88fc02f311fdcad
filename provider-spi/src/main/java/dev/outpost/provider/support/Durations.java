package dev.outpost.provider.support;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The form of durations in settings, options of machines, commands and bodies of the REST API: {@code 30s}, {@code 15m}, {@code 1h30m},
 * {@code 2d}, {@code 500ms}, or ISO 8601's, such as {@code PT30S}.
 */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(ms|s|m|h|d))++");

    /** The maximum length of the text of a duration, in characters. */
    private static final int MAX_LENGTH = 64;

    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    private Durations() {}

    /**
     * Parses a duration. Refuses a number without a unit, because its meaning is ambiguous.
     *
     * @throws IllegalArgumentException if the text is not a duration
     */
    public static Duration parse(String text) {
        String word = text.strip();
        if (word.length() > MAX_LENGTH) {
            throw malformed(null);
        }
        if (FORM.matcher(word).matches()) {
            return sum(PART.matcher(word));
        }
        try {
            return Duration.parse(word);
        } catch (DateTimeParseException failure) {
            throw malformed(failure);
        }
    }

    private static IllegalArgumentException malformed(@Nullable Throwable cause) {
        return new IllegalArgumentException("expected a duration such as 30s, 15m or 24h", cause);
    }

    /** Formats a duration for people: {@code 12 ms} or {@code 41.2 s}. */
    public static String text(Duration duration) {
        return duration.toMillis() < 1000
                ? duration.toMillis() + " ms"
                : String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }

    private static Duration sum(Matcher parts) {
        Duration sum = Duration.ZERO;
        while (parts.find()) {
            sum = sum.plus(
                    Objects.requireNonNull(UNITS.get(parts.group(2))).multipliedBy(Long.parseLong(parts.group(1))));
        }
        return sum;
    }
}
