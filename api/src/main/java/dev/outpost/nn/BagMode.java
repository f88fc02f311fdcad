package dev.outpost.nn;

/** The combination of the rows of a bag into one. */
public enum BagMode {
    SUM,
    MEAN,
    MAX
}
