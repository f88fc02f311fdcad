package dev.outpost.backend.model.job;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/**
 * Times by the five fields of Unix' cron: minute, hour, day of month, month, day of week. They are times of the zone's clock. Times within
 * a gap of the clock (daylight saving) all occur once, together, at the first time after the gap. A time that the clock shows twice occurs
 * only the first time, as in RFC 5545.
 */
public final class Cron {
    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private final String text;
    private final ZoneId zone;
    private final ExecutionTime times;

    /** @throws IllegalArgumentException if the fields or the zone are invalid; the message shows the given text */
    public Cron(String text, String zone) {
        this.text = text;
        try {
            this.zone = ZoneId.of(zone);
            this.times = ExecutionTime.forCron(PARSER.parse(text));
        } catch (DateTimeException failure) {
            throw new IllegalArgumentException("zone: expected such as Europe/Oslo, got \"" + zone + "\"", failure);
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(
                    "cron: expected the five fields of Unix such as \"30 2 * * 1-5\", got \"" + text + "\": "
                            + failure.getMessage(),
                    failure);
        }
    }

    public String text() {
        return text;
    }

    public String zone() {
        return zone.getId();
    }

    /** Returns the first of these times after {@code time}; empty if none exists. */
    public Optional<Instant> after(Instant time) {
        // The fields describe local times, so the search uses a zone whose clock never changes.
        Optional<ZonedDateTime> shown = next(time.atZone(zone).toLocalDateTime().atZone(ZoneOffset.UTC));
        while (shown.isPresent() && !instant(shown.get()).isAfter(time)) {
            shown = next(shown.get());
        }
        return shown.map(this::instant);
    }

    private Optional<ZonedDateTime> next(ZonedDateTime shown) {
        return times.nextExecution(shown);
    }

    /** Returns the instant at which the zone's clock first shows this local time, or at which the clock skips it. */
    private Instant instant(ZonedDateTime shown) {
        LocalDateTime local = shown.toLocalDateTime();
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        return change != null && change.isGap()
                ? change.getInstant()
                : local.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cron that && text.equals(that.text) && zone.equals(that.zone);
    }

    @Override
    public int hashCode() {
        return text.hashCode() * 31 + zone.hashCode();
    }

    @Override
    public String toString() {
        return text + " " + zone;
    }
}
