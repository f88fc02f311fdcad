package dev.outpost.rest.deployment;

/** The state of a replica at a gateway. */
public enum ReplicaState {
    /** It connects, or loads the model. */
    LOADING,

    /** The model is loaded, and requests are sent there unless it drains. */
    SERVING,

    /** It sends no requests there, and none is under way. */
    DRAINED,

    /** The model cannot be loaded there, or the machine has failed. */
    FAILED
}
