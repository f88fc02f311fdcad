package dev.outpost.runtime.session.stats;

/**
 * The load at the moment.
 *
 * @param liveBytes what values take
 * @param liveValues how many there are
 * @param queuedMessages messages that wait for execution
 * @param queuedBytes what they take
 * @param uploads uploads that are on their way, or whole and not used yet
 */
public record Load(long liveBytes, long liveValues, long queuedMessages, long queuedBytes, long uploads) {
    public static final Load NONE = new Load(0, 0, 0, 0, 0);

    public Load withLiveBytes(long bytes) {
        return new Load(bytes, liveValues, queuedMessages, queuedBytes, uploads);
    }

    public Load plus(Load more) {
        return new Load(
                liveBytes + more.liveBytes,
                liveValues + more.liveValues,
                queuedMessages + more.queuedMessages,
                queuedBytes + more.queuedBytes,
                uploads + more.uploads);
    }
}
