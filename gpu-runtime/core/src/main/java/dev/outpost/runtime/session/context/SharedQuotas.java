package dev.outpost.runtime.session.context;

import dev.outpost.protocol.message.Message;
import dev.outpost.runtime.session.memory.SharedQuota;

/**
 * The resources that all sessions of a machine share. Bounds of single sessions do not add up to what the heap holds,
 * so these do.
 *
 * @param liveBytes bytes of values
 * @param queuedBytes bytes of messages that wait to be executed
 * @param values values, each of which takes some of the heap besides its elements
 * @param uploads uploads that have begun and were not used yet, as values
 * @param stagedBytes bytes of downloads that were read from an asynchronous engine and that clients do not have yet
 */
public record SharedQuotas(
        SharedQuota liveBytes,
        SharedQuota queuedBytes,
        SharedQuota values,
        SharedQuota uploads,
        SharedQuota stagedBytes) {
    /** The most bytes of its downloads that one session may have read: a lane's window, and some of the next bytes. */
    public static final long STAGED_BYTES = 20L << 20;

    /** So many pieces of a download are each session's in any case. */
    private static final long MIN_PIECES = 4;

    /** The most bytes of the heap for a value or an upload, its elements aside. */
    private static final long BYTES_EACH = 256;

    /** The least values of a single session where the heap is so small that its share would not do. */
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
