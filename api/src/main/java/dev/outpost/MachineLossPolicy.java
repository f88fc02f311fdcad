package dev.outpost;

/** The policy for new tensors after their machine was lost. The tensors that lived on the lost machine are lost in any case. */
public enum MachineLossPolicy {
    /** Creating a tensor fails, as reading a lost one does. The program decides what to do. */
    FAIL,

    /** The first new tensor starts another machine. */
    RESTART
}
