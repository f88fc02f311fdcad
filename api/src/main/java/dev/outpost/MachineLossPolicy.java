package dev.outpost;

/** The policy for new tensors when their machine was lost. Those that lived on it are lost in any case. */
public enum MachineLossPolicy {
    /** They are refused, as the lost ones are: the program decides what to do. */
    FAIL,

    /** The first of them starts another machine. */
    RESTART
}
