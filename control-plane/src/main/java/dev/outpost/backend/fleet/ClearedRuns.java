package dev.outpost.backend.fleet;

import dev.outpost.backend.model.job.Job;
import dev.outpost.rest.job.JobPhase;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Measures for how long this process has known that runs are over or given up ({@link JobPhase#CLEARING}). It uses a
 * monotonic clock, because the database's clock may jump, which would make a lease too short. A new process measures
 * from zero, so a lease may last longer than set. Thread-safe.
 */
final class ClearedRuns {
    private final LongSupplier nanos;
    private final Duration longest;
    private final Map<UUID, Known> known = new ConcurrentHashMap<>();

    /** @param last the time at which the job was last checked, in nanoseconds */
    private record Known(int run, long since, long last) {}

    /**
     * @param nanos a clock that does not jump, such as {@link System#nanoTime}
     * @param longest a run that was not checked for this time is forgotten
     */
    ClearedRuns(LongSupplier nanos, Duration longest) {
        this.nanos = nanos;
        this.longest = longest;
    }

    /** Returns the time for which the present run of a job is known to be cleared; zero if it is not. */
    Duration time(Job row) {
        if (row.phase() != JobPhase.CLEARING) {
            known.remove(row.id());
            return Duration.ZERO;
        }
        long now = nanos.getAsLong();
        Known one = known.merge(
                row.id(),
                new Known(row.attempt(), now, now),
                (before, first) ->
                        before.run() == row.attempt() ? new Known(before.run(), before.since(), now) : first);
        return Duration.ofNanos(now - one.since());
    }

    /** Forgets jobs that this replica has not checked lately, because another replica works on them. */
    void prune() {
        long now = nanos.getAsLong();
        known.values().removeIf(one -> now - one.last() > longest.toNanos());
    }
}
