package dev.outpost.runtime.session;

import dev.outpost.protocol.message.End;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The orderly end of all sessions. */
final class Drain {
    private static final Duration PAUSE = Duration.ofMillis(1);
    /** The longest wait for a client that was told of the end to begin to save its state. */
    private static final Duration REACTION = Duration.ofSeconds(2);

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
        awaitLeaving(unsettled, atMost);
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

    /** Announces the end to clients that want to save their state before, and waits until they have left. */
    private static void awaitLeaving(List<Session> sessions, Duration atMost) throws InterruptedException {
        long start = System.nanoTime();
        List<Session> told = new ArrayList<>();
        for (Session session : sessions) {
            if (session.announceEnd(atMost)) {
                told.add(session);
            }
        }
        while (!told.isEmpty() && System.nanoTime() - start < atMost.toNanos()) {
            boolean isLate = System.nanoTime() - start > REACTION.toNanos();
            told.removeIf(session -> session.isOver() || isLate && !session.isLeaving());
            Thread.sleep(PAUSE);
        }
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
