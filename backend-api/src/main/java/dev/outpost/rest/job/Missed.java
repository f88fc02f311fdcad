package dev.outpost.rest.job;

/** What is done about times that were missed. */
public enum Missed {
    /** Nothing. */
    SKIP,

    /** One job for all of them. */
    ONCE,

    /** A job for each, up to 100. */
    ALL
}
