package dev.outpost.backend.model;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Times by the five fields of Unix' cron: minute, hour, day of month, month, day of week. A time that a change of clocks leaves out
 * comes at the next one that there is, and one that it repeats comes once.
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
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException("zone: expected such as Europe/Oslo, got \"" + zone + "\"", unknown);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    "cron: expected the five fields of Unix such as \"30 2 * * 1-5\", got \"" + text + "\": "
                            + malformed.getMessage(),
                    malformed);
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
        return times.nextExecution(time.atZone(zone)).map(java.time.ZonedDateTime::toInstant);
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
