package dev.outpost.simulated.kubernetes.api;

import java.util.Optional;

/** Where the API server finds what containers have said. */
@FunctionalInterface
public interface ContainerLogs {
    /** The log of a container; empty while it has not started. */
    Optional<ContainerLog> find(String namespace, String pod);
}
