package dev.outpost.runtime.session;

import java.time.Duration;

/**
 * What a runtime grants.
 *
 * @param quotaBytes what the values of one session may take
 * @param lease how long a session outlives the last frame that was heard of it
 * @param turns how many sessions may use the engine at once
 * @param limits what the runtime takes on
 */
public record RuntimeSettings(long quotaBytes, Duration lease, int turns, Limits limits) {

    public RuntimeSettings {
        if (quotaBytes < 0 || lease.isNegative() || turns < 1) {
            throw new IllegalArgumentException(
                    "settings must be positive, got quota " + quotaBytes + ", lease " + lease + ", turns " + turns);
        }
    }

    /** A lease of 30 seconds, a turn for each processor, {@link Limits#DEFAULT}. */
    public static RuntimeSettings withQuota(long quotaBytes) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new RuntimeSettings(quotaBytes, Duration.ofSeconds(30), processors, Limits.DEFAULT);
    }

    public RuntimeSettings withLease(Duration newLease) {
        return new RuntimeSettings(quotaBytes, newLease, turns, limits);
    }

    public RuntimeSettings withTurns(int newTurns) {
        return new RuntimeSettings(quotaBytes, lease, newTurns, limits);
    }

    public RuntimeSettings withLimits(Limits newLimits) {
        return new RuntimeSettings(quotaBytes, lease, turns, newLimits);
    }

    public RuntimeSettings withMaxSessions(int newMaxSessions) {
        return withLimits(limits.withSessions(newMaxSessions));
    }
}
