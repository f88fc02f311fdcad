package dev.outpost.rest.job;

/** The treatment of times that a schedule missed because no backend was running. */
public enum Missed {
    /** No job is made. */
    SKIP,

    /** One job is made for all missed times. */
    ONCE,

    /** A job is made for each missed time, but at most 100. */
    ALL
}
