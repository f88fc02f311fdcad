package dev.outpost.rest.cluster;

/** The state of a cluster: it takes machines or it does not. */
public enum ClusterState {
    /** It takes new machines. */
    ACTIVE,

    /** It takes no new ones, and keeps those it has. */
    CORDONED,

    /** It takes no new ones, and its machines are asked to end. */
    DRAINING
}
