package dev.outpost.runtime.session;

import dev.outpost.channel.frame.Dialect;
import java.time.Duration;

/**
 * What a runtime grants.
 *
 * @param quotaBytes what the values of one session may take
 * @param machineBytes what the values of all sessions together may take
 * @param lease how long a session outlives the last frame that was heard of it
 * @param turns how many sessions may use the engine at once, where it serves as many
 * @param limits what the runtime takes on
 * @param dialect the versions and features of the protocol that it speaks
 */
public record RuntimeSettings(
        long quotaBytes, long machineBytes, Duration lease, int turns, Limits limits, Dialect dialect) {

    public RuntimeSettings {
        if (quotaBytes < 0 || machineBytes < 0 || lease.isNegative() || turns < 1) {
            throw new IllegalArgumentException("settings must be positive, got quota " + quotaBytes + ", machine "
                    + machineBytes + ", lease " + lease + ", turns " + turns);
        }
    }

    /** A lease of 30 seconds, a turn for each processor, no bound on all sessions together, {@link Limits#DEFAULT}. */
    public static RuntimeSettings withQuota(long quotaBytes) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new RuntimeSettings(
                quotaBytes, Long.MAX_VALUE, Duration.ofSeconds(30), processors, Limits.DEFAULT, Dialect.CURRENT);
    }

    public RuntimeSettings withMachineBytes(long newMachineBytes) {
        return new RuntimeSettings(quotaBytes, newMachineBytes, lease, turns, limits, dialect);
    }

    public RuntimeSettings withLease(Duration newLease) {
        return new RuntimeSettings(quotaBytes, machineBytes, newLease, turns, limits, dialect);
    }

    public RuntimeSettings withTurns(int newTurns) {
        return new RuntimeSettings(quotaBytes, machineBytes, lease, newTurns, limits, dialect);
    }

    public RuntimeSettings withLimits(Limits newLimits) {
        return new RuntimeSettings(quotaBytes, machineBytes, lease, turns, newLimits, dialect);
    }

    public RuntimeSettings withDialect(Dialect newDialect) {
        return new RuntimeSettings(quotaBytes, machineBytes, lease, turns, limits, newDialect);
    }

    public RuntimeSettings withMaxSessions(int newMaxSessions) {
        return withLimits(limits.withSessions(newMaxSessions));
    }
}
