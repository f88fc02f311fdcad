package dev.outpost.ops;

/** How elements that are sent to one place become one. */
public enum ScatterReduce {
    SUM,
    PROD,
    MEAN,
    AMAX,
    AMIN
}
