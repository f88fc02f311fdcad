package dev.outpost.backend.store.usage;

import dev.outpost.backend.store.Retention;
import dev.outpost.backend.store.sql.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table of samples: the machines, GPUs and memory that projects use. */
public final class UseRows {
    /** The time for which a row has the most of all samples. */
    public static final Duration STEP = Duration.ofMinutes(5);

    private UseRows() {}

    /**
     * The most that was used at one time within a step.
     *
     * @param at the begin of the step
     * @param memoryBytes the memory of the values of all sessions, as the machines reported it
     */
    public record Sample(Instant at, int machines, int gpus, long memoryBytes) {}

    /**
     * Takes a sample of all projects. Replicas may do so at the same time. The index of live machines has the condition on
     * {@code ENDED}.
     */
    public static void take(Sql sql) {
        sql.update(
                "INSERT INTO use_samples (organisation, project, at, machines, gpus, memory_bytes)"
                        + " SELECT m.organisation, m.project, date_bin(?::interval, outpost_now(), 'epoch'), count(*),"
                        + " sum(m.gpus * m.members), coalesce(sum(r.bytes), 0)"
                        + " FROM machines m LEFT JOIN LATERAL (SELECT sum(live_bytes) AS bytes FROM grant_reports"
                        + " WHERE machine = m.id) r ON true"
                        + " WHERE m.phase <> 'ENDED' AND m.phase = 'READY' GROUP BY 1, 2, 3"
                        + " ON CONFLICT (organisation, project, at) DO UPDATE SET"
                        + " machines = greatest(use_samples.machines, excluded.machines),"
                        + " gpus = greatest(use_samples.gpus, excluded.gpus),"
                        + " memory_bytes = greatest(use_samples.memory_bytes, excluded.memory_bytes)",
                STEP.toString());
    }

    /**
     * Returns the samples of an organisation, or of one of its projects, in the order of time.
     *
     * @param step the time that a returned sample covers
     */
    public static List<Sample> of(
            Sql sql, String organisation, Optional<String> project, Instant from, Instant to, Duration step) {
        return sql.query(
                "SELECT date_bin(?::interval, at, 'epoch') AS at, max(machines) AS machines, max(gpus) AS gpus,"
                        + " max(bytes) AS bytes FROM (SELECT at, sum(machines)::int AS machines, sum(gpus)::int AS gpus,"
                        + " sum(memory_bytes)::bigint AS bytes FROM use_samples WHERE organisation = ?"
                        + " AND (?::text IS NULL OR project = ?) AND at >= ? AND at < ? GROUP BY at) s"
                        + " GROUP BY 1 ORDER BY 1",
                row -> new Sample(row.time("at"), row.integer("machines"), row.integer("gpus"), row.number("bytes")),
                step.toString(),
                organisation,
                project,
                project,
                from,
                to);
    }

    public static Retention.Step forget(Sql sql, Retention.Span span) {
        return Retention.remove(sql, "use_samples", "true", "at", span);
    }
}
