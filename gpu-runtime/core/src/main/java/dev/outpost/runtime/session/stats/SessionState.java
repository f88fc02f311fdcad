package dev.outpost.runtime.session.stats;

/** How far a session has come. */
public enum SessionState {
    OPEN,
    /** The client said goodbye; only the answer is still on its way. */
    LEFT,
    /** It ended for a reason, which is kept for one lease for a client that asks. */
    ENDED
}
