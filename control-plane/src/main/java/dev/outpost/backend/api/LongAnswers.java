package dev.outpost.backend.api;

import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits the streamed answers that an organisation has open at this replica. Such an answer reads the database
 * repeatedly, so the limit of requests does not bound its cost. Thread-safe.
 */
@Singleton
public final class LongAnswers {
    /** A group of answers with a common limit. */
    public enum Kind {
        /** Logs of machines, and logs of jobs that wait for more bytes. */
        LOGS("logs that are read", 300),

        /** Streams of events. */
        EVENTS("streams of events", 2_000);

        private final String what;
        private final int max;

        Kind(String what, int max) {
            this.what = what;
            this.max = max;
        }

        int most() {
            return max;
        }
    }

    private final Map<Reader, Integer> open = new ConcurrentHashMap<>();

    private record Reader(String organisation, Kind kind) {}

    /**
     * Counts another answer. Throws a {@link Problem} if the limit is reached.
     *
     * @return the caller runs it once, when the answer is over
     */
    public Runnable open(Kind kind, String organisation) {
        Reader reader = new Reader(organisation, kind);
        if (open.merge(reader, 1, Integer::sum) > kind.max) {
            close(reader);
            throw Problem.of(
                    Problem.Code.TOO_MANY_REQUESTS,
                    "the organisation has " + kind.max + " " + kind.what
                            + " open here, as many as are allowed; end others, or try again later");
        }
        return () -> close(reader);
    }

    private void close(Reader reader) {
        open.computeIfPresent(reader, (same, count) -> count == 1 ? null : count - 1);
    }
}
