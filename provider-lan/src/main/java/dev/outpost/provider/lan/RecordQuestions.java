package dev.outpost.provider.lan;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Decides which announced names are asked for their records, and when. Each question is several packets to the whole
 * network, and a single packet of a stranger can announce hundreds of names. So a name that does not answer is asked
 * less and less often, and the questions per second are limited. New names have a separate, higher limit, so that
 * silent names cannot delay them. Thread-safe.
 */
final class RecordQuestions {
    static final int NEW_PER_SECOND = 256;
    static final int AGAIN_PER_SECOND = 64;
    private static final int MAX_NAMES = 4096;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMinutes(1).toNanos();

    private final Map<String, Asked> names = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Asked> eldest) {
            return size() > MAX_NAMES;
        }
    };
    private long second;
    private int newInSecond;
    private int againInSecond;

    /** @param pause the time from {@code at} to the next question, in nanoseconds */
    private record Asked(long at, long pause) {}

    /** @param nanos the time, by a monotonic clock */
    RecordQuestions(long nanos) {
        second = nanos;
    }

    /** Returns true if the records of a name may be requested now, and then counts the request. */
    synchronized boolean mayAsk(String name, long nanos) {
        if (nanos - second >= SECOND) {
            second = nanos;
            newInSecond = 0;
            againInSecond = 0;
        }
        Asked before = names.get(name);
        boolean hasRoom = before == null
                ? newInSecond < NEW_PER_SECOND
                : againInSecond < AGAIN_PER_SECOND && nanos - before.at() >= before.pause();
        if (!hasRoom) {
            return false;
        }
        if (before == null) {
            newInSecond++;
        } else {
            againInSecond++;
        }
        // The next question is sent in the next round at the earliest. It is needed because the first question may be
        // lost.
        names.put(name, new Asked(nanos, before == null ? 0 : Math.clamp(2 * before.pause(), SECOND, LONGEST_PAUSE)));
        return true;
    }

    /** Removes a name that has answered. */
    synchronized void answered(String name) {
        names.remove(name);
    }
}
