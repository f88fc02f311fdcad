package dev.outpost.simulated.kubernetes.api;

import java.util.Optional;

/** The logs of containers, for the API server. */
@FunctionalInterface
public interface ContainerLogs {
    /** Returns the log of a container; empty until it has started. */
    Optional<ContainerLog> find(String namespace, String pod);
}
