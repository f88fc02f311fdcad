package dev.outpost.backend.api.usage;

import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.store.usage.BillRows;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The time that a bill covers. Months are in UTC. */
record Window(Instant from, Instant to) {
    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(1);

    /** Parses the window of a request. The default is from the beginning of the month until now. */
    static Window of(Optional<String> from, Optional<String> to, Instant now) {
        Instant end = to.map(text -> time("to", text)).orElse(now);
        Instant begin = from.map(text -> time("from", text)).orElseGet(() -> month(end));
        if (!begin.isBefore(end) || Duration.between(begin, end).compareTo(Bounds.WINDOW) > 0) {
            throw Problem.invalid("from, to: expected a window of up to " + Bounds.WINDOW.toDays() + " days, got "
                    + begin + " to " + end);
        }
        return new Window(begin, end);
    }

    /**
     * Returns the time from which a price holds.
     *
     * @param asked the time of the request; now if null
     */
    static Instant begin(Instant asked, Instant now) {
        Instant from = Optional.ofNullable(asked).orElse(now).truncatedTo(ChronoUnit.SECONDS);
        if (from.isBefore(now.minus(CLOCK_DIFFERENCE))) {
            throw Problem.invalid(
                    "from: expected a time that is not past, got " + from + "; what was charged is not changed");
        }
        return from;
    }

    /** Returns the time of a price that is removed. A price that holds already is refused, because charges rest on it. */
    static Instant removable(String from, Instant now) {
        if (from == null) {
            throw Problem.invalid("from: expected the time from which the price holds, got nothing");
        }
        Instant begin = time("from", from);
        if (!begin.isAfter(now)) {
            throw Problem.of(
                    Problem.Code.CONFLICT,
                    "from: the price of " + begin + " holds already, and charges rest on it; set another one");
        }
        return begin;
    }

    /** Returns the days that overlap the window. */
    BillRows.Days days() {
        LocalDate first = LocalDate.ofInstant(from, ZoneOffset.UTC);
        LocalDate last = LocalDate.ofInstant(to.minusNanos(1), ZoneOffset.UTC);
        return new BillRows.Days(first, last.plusDays(1));
    }

    private static Instant month(Instant time) {
        return time.atOffset(ZoneOffset.UTC)
                .truncatedTo(ChronoUnit.DAYS)
                .withDayOfMonth(1)
                .toInstant();
    }

    private static Instant time(String name, String text) {
        try {
            return Inputs.time(name, Instant.parse(text));
        } catch (DateTimeParseException ignored) {
            throw Problem.invalid(name + ": expected a time such as 2026-01-31T00:00:00Z, got "
                    + ResourceNames.shown(text.replaceAll("\\p{Cntrl}", "?")));
        }
    }
}
