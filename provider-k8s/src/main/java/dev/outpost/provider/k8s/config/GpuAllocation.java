package dev.outpost.provider.k8s.config;

/** The methods by which a machine requests its GPU from a cluster. */
public enum GpuAllocation {
    /** A resource claim if the cluster has the DeviceClass for it, else an extended resource. */
    AUTO,
    /** A ResourceClaim, which the scheduler allocates a device for (dynamic resource allocation). */
    RESOURCE_CLAIM,
    /** An extended resource of a device plugin, and labels of nodes. */
    EXTENDED_RESOURCE
}
