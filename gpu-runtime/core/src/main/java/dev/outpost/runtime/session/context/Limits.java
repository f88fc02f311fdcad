package dev.outpost.runtime.session.context;

import java.time.Duration;

/**
 * The limits of a runtime.
 *
 * @param sessions the maximum number of sessions at the same time
 * @param connections the maximum number of open connections
 * @param plans the maximum number of plans that are kept
 * @param uploads the maximum number of uploads of one session that are incomplete or wait for the segment that uses
 *     them
 * @param queuedMessages the maximum number of messages of one session that may wait
 * @param queuedBytes the maximum number of bytes of these messages
 * @param segmentTime the longest time that the kernels of one segment may run
 */
public record Limits(
        int sessions,
        int connections,
        int plans,
        int uploads,
        int queuedMessages,
        long queuedBytes,
        Duration segmentTime) {

    /**
     * The default: 64 sessions, 256 connections and 512 plans; for each session 65,536 uploads and 4,096 messages of
     * 256 MiB together; 10 minutes for each segment.
     */
    public static final Limits DEFAULT = new Limits(64, 256, 512, 1 << 16, 4096, 256L << 20, Duration.ofMinutes(10));

    public Limits {
        boolean counts = sessions > 0 && connections > 0 && plans > 0 && uploads > 0 && queuedMessages > 0;
        if (!counts || queuedBytes <= 0 || !segmentTime.isPositive()) {
            throw new IllegalArgumentException("limits must be positive, got sessions " + sessions + ", connections "
                    + connections + ", plans " + plans + ", uploads " + uploads + ", queued messages " + queuedMessages
                    + ", queued bytes " + queuedBytes + ", segment time " + segmentTime);
        }
    }

    public Limits withSessions(int max) {
        return new Limits(max, connections, plans, uploads, queuedMessages, queuedBytes, segmentTime);
    }

    public Limits withConnections(int max) {
        return new Limits(sessions, max, plans, uploads, queuedMessages, queuedBytes, segmentTime);
    }

    public Limits withPlans(int max) {
        return new Limits(sessions, connections, max, uploads, queuedMessages, queuedBytes, segmentTime);
    }

    public Limits withUploads(int max) {
        return new Limits(sessions, connections, plans, max, queuedMessages, queuedBytes, segmentTime);
    }

    public Limits withQueue(int maxMessages, long maxBytes) {
        return new Limits(sessions, connections, plans, uploads, maxMessages, maxBytes, segmentTime);
    }

    public Limits withSegmentTime(Duration most) {
        return new Limits(sessions, connections, plans, uploads, queuedMessages, queuedBytes, most);
    }
}
