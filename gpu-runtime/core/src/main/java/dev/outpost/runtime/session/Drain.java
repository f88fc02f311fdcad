package dev.outpost.runtime.session;

import dev.outpost.protocol.message.End;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The orderly end of all sessions. */
final class Drain {
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final Sessions sessions;
    private final ConnectionLimiter connectionLimiter;
    private final End farewell;

    Drain(Sessions sessions, ConnectionLimiter connectionLimiter, End farewell) {
        this.sessions = sessions;
        this.connectionLimiter = connectionLimiter;
        this.farewell = farewell;
    }

    /** Drains and ends all sessions. Returns true if all of them finished in time. */
    boolean run(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        List<Session> unsettled = new ArrayList<>(sessions.refuseNew(farewell));
        unsettled.forEach(session -> session.drain(new EndedException(farewell)));
        endSettled(unsettled);
        while (!unsettled.isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(PAUSE);
            endSettled(unsettled);
        }
        unsettled.forEach(session -> session.end(farewell));
        connectionLimiter.end(farewell);
        return unsettled.isEmpty();
    }

    private void endSettled(List<Session> sessions) {
        sessions.removeIf(session -> {
            boolean settled = session.isSettled();
            if (settled) {
                session.end(farewell);
            }
            return settled;
        });
    }
}
