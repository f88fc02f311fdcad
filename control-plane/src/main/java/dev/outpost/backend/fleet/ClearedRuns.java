package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Job;
import dev.outpost.rest.job.JobPhase;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * For how long this process has known of runs that are over or given up ({@link JobPhase#CLEARING}). The database's clock may jump, and a lease
 * that is measured by it would then be too short. A process that was just started begins anew, so a lease may take longer. Safe for use by many
 * threads.
 */
final class ClearedRuns {
    private final LongSupplier nanos;
    private final Duration longest;
    private final Map<UUID, Known> known = new ConcurrentHashMap<>();

    /** @param last when the job was looked at last, in nanoseconds */
    private record Known(int run, long since, long last) {}

    /**
     * @param nanos a clock that does not jump, as {@link System#nanoTime}
     * @param longest a run that was not looked at for so long is forgotten
     */
    ClearedRuns(LongSupplier nanos, Duration longest) {
        this.nanos = nanos;
        this.longest = longest;
    }

    /** For how long the present run of a job is known to be cleared; no time if it is not. */
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

    /** Forgets jobs that others have gone on with. */
    void prune() {
        long now = nanos.getAsLong();
        known.values().removeIf(one -> now - one.last() > longest.toNanos());
    }
}
