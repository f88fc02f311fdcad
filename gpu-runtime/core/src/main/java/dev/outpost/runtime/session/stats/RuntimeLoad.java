package dev.outpost.runtime.session.stats;

/**
 * The current load.
 *
 * @param liveBytes bytes of the values
 * @param liveValues the number of values
 * @param queuedMessages messages that wait for execution
 * @param queuedBytes their bytes
 * @param uploads uploads that are incomplete or not used yet
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
