package dev.outpost.rest.cluster;

/** The state of a cluster. */
public enum ClusterState {
    /** The cluster accepts new machines. */
    ACTIVE,

    /** The cluster accepts no new machines, and keeps its present ones. */
    CORDONED,

    /** The cluster accepts no new machines, and its present ones are asked to end. */
    DRAINING
}
