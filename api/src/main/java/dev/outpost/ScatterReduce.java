package dev.outpost;

/** How elements that are sent to one place become one. */
public enum ScatterReduce {
    SUM,
    PROD,
    MEAN,
    AMAX,
    AMIN
}
