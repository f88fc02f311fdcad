package dev.outpost.provider.k8s.config;

/** How a client reaches a machine. */
public enum AccessMode {
    /** The pod's address within a cluster, a forwarded port elsewhere. */
    AUTO,
    /** The pod's own address: the client runs in the cluster. */
    POD_IP,
    /** A Service that is reachable from outside. */
    SERVICE,
    /** A port forwarded through the API server: reachable from anywhere, and slow. */
    PORT_FORWARD
}
