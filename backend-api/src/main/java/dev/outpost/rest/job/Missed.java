package dev.outpost.rest.job;

/** The treatment of missed times. */
public enum Missed {
    /** Nothing. */
    SKIP,

    /** One job for all of them. */
    ONCE,

    /** A job for each, up to 100. */
    ALL
}
