package dev.outpost.runtime.session.context;

import dev.outpost.protocol.message.Message;
import dev.outpost.runtime.session.memory.SharedQuota;

/**
 * The resources that all sessions of a machine share. The limits of single sessions can add up to more than the heap's size. These limits
 * do not.
 *
 * @param liveBytes bytes of values
 * @param queuedBytes bytes of messages that wait to be executed
 * @param values the number of values; each takes some heap in addition to its elements
 * @param uploads the number of uploads that have begun and are not yet used as values
 * @param stagedBytes bytes of downloads that were read from an asynchronous engine and that clients do not have yet
 */
public record SharedQuotas(
        SharedQuota liveBytes,
        SharedQuota queuedBytes,
        SharedQuota values,
        SharedQuota uploads,
        SharedQuota stagedBytes) {
    /**
     * The maximum number of download bytes that one session may have read: a lane's window, and some of the next
     * bytes.
     */
    public static final long STAGED_BYTES = 20L << 20;

    /** The pieces of a download that are reserved for each session. */
    private static final long MIN_PIECES = 4;

    /** The maximum number of heap bytes of a value or an upload, without its elements. */
    private static final long BYTES_EACH = 256;

    /** The minimum number of values of one session, if the share of a small heap would be lower. */
    private static final long MIN_VALUES = 2L * Message.MAX_VALUES;

    public static SharedQuotas of(RuntimeSettings settings, long heapBytes) {
        Limits limits = settings.limits();
        int sessions = limits.sessions();
        return new SharedQuotas(
                new SharedQuota(settings.machineBytes(), 0, sessions),
                SharedQuota.of(heapBytes / 4, sessions),
                SharedQuota.of(Math.max(MIN_VALUES, heapBytes / 4 / BYTES_EACH), sessions),
                SharedQuota.of(Math.max(2L * limits.uploads(), heapBytes / 16 / BYTES_EACH), sessions),
                SharedQuota.of(Math.max(4 * MIN_PIECES * Message.CHUNK_BYTES * sessions, heapBytes / 8), sessions));
    }
}
