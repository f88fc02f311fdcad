package dev.outpost.nn.functional;

/** How the rows of a bag become one. */
public enum BagMode {
    SUM,
    MEAN,
    MAX
}
