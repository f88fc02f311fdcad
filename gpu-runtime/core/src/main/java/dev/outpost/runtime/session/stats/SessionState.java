package dev.outpost.runtime.session.stats;

/** The state of a session. */
public enum SessionState {
    OPEN,
    /** The client said goodbye. The answer to the goodbye may not have been sent yet. */
    LEFT,
    /** The session was ended. The reason is kept for one lease, so that the client can learn it. */
    ENDED
}
