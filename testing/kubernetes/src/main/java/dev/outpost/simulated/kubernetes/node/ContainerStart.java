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
 * @param address the pod's address, on loopback
 * @param command the command; empty for the image's own
 * @param readiness the URI that tells if it is ready; if empty, it is ready at once
 * @param log receives its lines
 */
public record ContainerStart(
        String address,
        Map<String, String> environment,
        List<String> command,
        List<String> arguments,
        Optional<URI> readiness,
        ContainerLog log) {}
