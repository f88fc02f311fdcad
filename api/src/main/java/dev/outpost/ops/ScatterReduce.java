package dev.outpost.ops;

/** The reduction of elements that are written to one position. */
public enum ScatterReduce {
    SUM,
    PROD,
    MEAN,
    AMAX,
    AMIN
}
