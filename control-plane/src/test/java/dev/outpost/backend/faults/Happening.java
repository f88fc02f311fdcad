package dev.outpost.backend.faults;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.usage.UsageInterval;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * One line of a recorded history.
 *
 * @param at the true time
 * @param clock the time by the database's clock
 */
record Happening(Instant at, Instant clock, What what) {
    /** What happened. */
    sealed interface What {}

    /** A step began. */
    record Began(HistoryStep step) implements What {}

    /** A step failed in a way that no fault explains; no later step was run. */
    record Broken(String failure) implements What {}

    /** A replica was killed during a step. */
    record Killed(int replica, String where) implements What {}

    // ---- answers to clients

    /** The backend has confirmed a machine or a job. */
    record Accepted(UUID id) implements What {}

    /** The backend has confirmed that a machine or a job is to end. */
    record EndAccepted(UUID id) implements What {}

    // ---- changes on the clusters, whether or not the backend saw them

    record Made(UUID machine) implements What {}

    record Ready(UUID machine) implements What {}

    /** The process of a machine has ended. */
    record Stopped(UUID machine) implements What {}

    /** A machine received a token of this organisation. */
    record Bound(UUID machine, String organisation) implements What {}

    /**
     * A program began to run.
     *
     * @param asked the number of lines of the history at the time at which the runner asked if it may begin
     */
    record RunBegan(UUID job, UUID machine, int asked) implements What {}

    /** A program has ended; there is no code if it was killed. */
    record RunEnded(UUID job, UUID machine, Optional<Integer> code) implements What {}

    /** A replica has read the whole list of a cluster. */
    record Listed(String cluster, List<UUID> machines) implements What {}

    // ---- contents of the database

    /** Two live rows had the same machine of a cluster. */
    record Shared(UUID supplied) implements What {}

    /** The budget of an organisation was set, with its spending and its number of machines at that time. */
    record BudgetSet(String organisation, long cap, long spent, int machines) implements What {}

    /**
     * The spending of an organisation with a budget, computed from its bills.
     *
     * @param machines the number of machines that cost something or are about to
     * @param isSeen true if a replica has just observed all machines; until then ended machines are still charged
     */
    record Spent(String organisation, long nanos, int machines, boolean isSeen) implements What {}

    /** A row of the database and its charges. */
    record Charged(Machine row, List<UsageInterval> usages, List<UsageInterval> byEvents) {}

    /**
     * The final state, after all faults have ended and enough time has passed.
     *
     * @param isStopped true if clients have also asked for the end of all they had
     * @param running machines whose processes run
     * @param present machines that a cluster still has something of
     * @param failures rows that loops could not work on, with the reasons
     * @param miscounted differences between counters of quotas and a recount
     */
    record Quiet(
            boolean isStopped,
            List<UUID> running,
            List<UUID> present,
            List<Charged> machines,
            List<Job> jobs,
            Map<String, String> failures,
            String miscounted)
            implements What {}
}
