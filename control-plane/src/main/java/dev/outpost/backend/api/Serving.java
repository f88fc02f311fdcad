package dev.outpost.backend.api;

import jakarta.inject.Singleton;

/**
 * True once the backend has finished its bootstrap, after which the administrator's key exists and calls are
 * answered. Thread-safe.
 */
@Singleton
public class Serving {
    private volatile boolean begun;

    /** Marks the start as complete. */
    public void begin() {
        begun = true;
    }

    public boolean isBegun() {
        return begun;
    }

    /** Refuses calls before the start is complete, because keys that do not exist yet would seem to be wrong. */
    void require() {
        if (!begun) {
            throw Problem.of(Problem.Code.UNAVAILABLE, "the backend starts; the same request may be sent again");
        }
    }
}
