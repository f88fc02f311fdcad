package dev.outpost.rest.deployment;

/** The state of a replica at a gateway. */
public enum ReplicaState {
    /** The gateway connects to the machine, or the machine loads the model. */
    LOADING,

    /** The model is loaded. The replica gets requests unless it drains. */
    SERVING,

    /** The gateway sends no more requests to the replica, and none is running there. */
    DRAINED,

    /** The model cannot be loaded on the machine, or the machine has failed. */
    FAILED
}
