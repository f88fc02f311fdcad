package dev.outpost.nn;

/** How the rows of a bag become one. */
public enum BagMode {
    SUM,
    MEAN,
    MAX
}
