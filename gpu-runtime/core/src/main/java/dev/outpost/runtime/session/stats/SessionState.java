package dev.outpost.runtime.session.stats;

/** The state of a session. */
public enum SessionState {
    OPEN,
    /** The client said goodbye; only the answer is still on its way. */
    LEFT,
    /** The session ended for a reason. The reason is kept for one lease, for a client that asks. */
    ENDED
}
