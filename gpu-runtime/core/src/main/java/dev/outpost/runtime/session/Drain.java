package dev.outpost.runtime.session;

import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The orderly end of all sessions. */
final class Drain {
    private static final Fault SHUTDOWN = Fault.of(FaultKind.EXTERNAL, "the machine is shutting down");
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final Sessions sessions;
    private final Connections connections;

    Drain(Sessions sessions, Connections connections) {
        this.sessions = sessions;
        this.connections = connections;
    }

    /** Whether all sessions had finished when the time was over. */
    boolean run(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        List<Session> unsettled = new ArrayList<>(sessions.refuseNew(SHUTDOWN.message()));
        unsettled.forEach(session -> session.drain(new OutpostException(SHUTDOWN.kind(), SHUTDOWN.message())));
        endSettled(unsettled);
        while (!unsettled.isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(PAUSE);
            endSettled(unsettled);
        }
        unsettled.forEach(session -> session.end(SHUTDOWN));
        connections.end(SHUTDOWN);
        return unsettled.isEmpty();
    }

    private static void endSettled(List<Session> sessions) {
        sessions.removeIf(session -> {
            boolean settled = session.isSettled();
            if (settled) {
                session.end(SHUTDOWN);
            }
            return settled;
        });
    }
}
