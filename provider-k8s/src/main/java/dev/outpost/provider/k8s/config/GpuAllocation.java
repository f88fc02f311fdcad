package dev.outpost.provider.k8s.config;

/** How a machine asks a cluster for its GPU. */
public enum GpuAllocation {
    /** A resource claim where the cluster has the DeviceClass for it, an extended resource elsewhere. */
    AUTO,
    /** A ResourceClaim, which the scheduler allocates a device for (dynamic resource allocation). */
    RESOURCE_CLAIM,
    /** An extended resource of a device plugin, and labels of nodes. */
    EXTENDED_RESOURCE
}
