package dev.outpost.provider.k8s.config;

/** The way from a client to a machine. */
public enum AccessMode {
    /** The pod's address if the client runs in the cluster or its host reaches pods; otherwise a forwarded port. */
    AUTO,
    /** The pod's own address: the client runs in the cluster, or in a network that routes to pods. */
    POD_IP,
    /** A Service that is reachable from outside. */
    SERVICE,
    /** A port forwarded through the API server: reachable from anywhere, slow, and lost with the API server. */
    PORT_FORWARD
}
