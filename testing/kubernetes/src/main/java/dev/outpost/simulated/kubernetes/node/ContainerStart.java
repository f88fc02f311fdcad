package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.api.ContainerLog;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The arguments of a container. Paths in it lead to the container's files on this host, and an address that means all
 * addresses is the pod's, because there are no namespaces here that would keep pods apart.
 *
 * @param address the pod's, on loopback
 * @param command instead of the image's own; empty where the image's is meant
 * @param readiness what is asked whether it is ready; it is ready at once where there is nothing to ask
 * @param log where its lines go
 */
public record ContainerStart(
        String address,
        Map<String, String> environment,
        List<String> command,
        List<String> arguments,
        Optional<URI> readiness,
        ContainerLog log) {}
