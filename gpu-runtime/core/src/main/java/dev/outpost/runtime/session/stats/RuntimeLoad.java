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
public record RuntimeLoad(long liveBytes, long liveValues, long queuedMessages, long queuedBytes, long uploads) {
    public static final RuntimeLoad NONE = new RuntimeLoad(0, 0, 0, 0, 0);

    public RuntimeLoad withLiveBytes(long bytes) {
        return new RuntimeLoad(bytes, liveValues, queuedMessages, queuedBytes, uploads);
    }

    public RuntimeLoad plus(RuntimeLoad more) {
        return new RuntimeLoad(
                liveBytes + more.liveBytes,
                liveValues + more.liveValues,
                queuedMessages + more.queuedMessages,
                queuedBytes + more.queuedBytes,
                uploads + more.uploads);
    }
}
