package dev.outpost.runtime.session;

import com.google.protobuf.ByteString;
import dev.outpost.runtime.session.grant.GrantAccount;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The sessions that belong to an owner. An owner is a secret that clients pass on to each other. It has one session at a time. */
final class SessionOwners {
    /** The values that a session kept, and the number of its latest fault. */
    record Taken(KeptValues values, long latestFault) {}

    /** An owner's session belongs to a grant, so that the secret alone opens nothing. */
    private record Key(ByteString owner, GrantAccount grant) {}

    private final Map<Key, Session> sessions = new ConcurrentHashMap<>();
    /** Held while values move, so that of two clients one after the other continues. */
    private final ReentrantLock moving = new ReentrantLock();

    /**
     * Makes a session the one of an owner. An earlier session of the same owner and grant ends.
     *
     * @return the values of the earlier session; empty if there was none, or it has ended
     */
    Optional<Taken> own(ByteString owner, Session session) throws InterruptedException {
        moving.lockInterruptibly();
        try {
            Key key = new Key(owner, session.grant());
            Session before = sessions.get(key);
            if (before == null || before == session) {
                sessions.put(key, session);
                return Optional.empty();
            }
            // If this fails, the earlier session stays the owner's, and a later client tries again.
            Optional<Taken> kept = before.handOver(session);
            sessions.put(key, session);
            return kept;
        } finally {
            moving.unlock();
        }
    }

    void forget(Session session) {
        sessions.values().remove(session);
    }
}
