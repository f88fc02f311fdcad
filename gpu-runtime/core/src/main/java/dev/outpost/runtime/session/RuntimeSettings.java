package dev.outpost.runtime.session;

import java.time.Duration;

/**
 * What a runtime grants.
 *
 * @param quotaBytes what the values of one session may take
 * @param lease how long a session outlives the last frame that was heard of it
 * @param maxPlans how many plans are kept
 * @param maxSessions how many sessions there may be at once
 */
public record RuntimeSettings(long quotaBytes, Duration lease, int maxPlans, int maxSessions) {

    public RuntimeSettings {
        if (quotaBytes < 0 || lease.isNegative() || maxPlans < 1 || maxSessions < 1) {
            throw new IllegalArgumentException("settings must be positive, got quota " + quotaBytes + ", lease " + lease
                    + ", plans " + maxPlans + ", sessions " + maxSessions);
        }
    }

    /** A lease of 30 seconds, 512 plans, 64 sessions. */
    public static RuntimeSettings withQuota(long quotaBytes) {
        return new RuntimeSettings(quotaBytes, Duration.ofSeconds(30), 512, 64);
    }

    public RuntimeSettings withLease(Duration newLease) {
        return new RuntimeSettings(quotaBytes, newLease, maxPlans, maxSessions);
    }

    public RuntimeSettings withMaxSessions(int newMaxSessions) {
        return new RuntimeSettings(quotaBytes, lease, maxPlans, newMaxSessions);
    }
}
