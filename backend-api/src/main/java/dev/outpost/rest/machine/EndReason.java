package dev.outpost.rest.machine;

/** Why a machine ended. */
public enum EndReason {
    /** Its end was asked for. */
    REQUESTED,

    /** Its agreed life was over. */
    EXPIRED,

    /** No instruction came for as long as had been agreed. */
    IDLE,

    /** No client was heard of for as long as had been agreed. */
    UNUSED,

    /** It was not ready in time. */
    START_TIMEOUT,

    /** The cluster will not make it. */
    REFUSED,

    /** Its process or pod failed. */
    FAILED,

    /** Its cluster has not seen it for longer than the grace. */
    LOST,

    /** It waited in a pool, and became the machine of a request. */
    CLAIMED
}
