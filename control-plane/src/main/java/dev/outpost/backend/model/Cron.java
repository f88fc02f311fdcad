package dev.outpost.backend.model;

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
 * Times by the five fields of Unix' cron: minute, hour, day of month, month, day of week. They are times of the zone's clock. If a
 * change of clocks leaves some out, they come once, together, at the first time behind the gap. If it repeats some, they come when the clock
 * shows them first. RFC 5545 says the same of times that come twice.
 */
public final class Cron {
    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private final String text;
    private final ZoneId zone;
    private final ExecutionTime times;

    /** @throws IllegalArgumentException where the fields or the zone are none; the message shows what was given */
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

    /** The first time behind that one. */
    public Optional<Instant> after(Instant time) {
        // The fields are about what a clock shows, so they are looked up in a zone whose clock never changes.
        Optional<ZonedDateTime> shown = next(time.atZone(zone).toLocalDateTime().atZone(ZoneOffset.UTC));
        while (shown.isPresent() && !instant(shown.get()).isAfter(time)) {
            shown = next(shown.get());
        }
        return shown.map(this::instant);
    }

    private Optional<ZonedDateTime> next(ZonedDateTime shown) {
        return times.nextExecution(shown);
    }

    /** When the clock of the zone first shows that or, where it never does, when it jumps over it. */
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
