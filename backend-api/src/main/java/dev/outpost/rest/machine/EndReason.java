package dev.outpost.rest.machine;

/** The reason why a machine ended. */
public enum EndReason {
    /** A client requested the end. */
    REQUESTED,

    /** The agreed life was over. */
    EXPIRED,

    /** No instruction came for the agreed time. */
    IDLE,

    /** No client was heard for the agreed time. */
    UNUSED,

    /** The machine was not ready in time. */
    START_TIMEOUT,

    /** The cluster refuses to start it. */
    REFUSED,

    /** Its process or pod failed. */
    FAILED,

    /** Its cluster has not seen it for longer than the grace period. */
    LOST,

    /** The machine waited in a pool, and a request has taken it over. */
    CLAIMED
}
