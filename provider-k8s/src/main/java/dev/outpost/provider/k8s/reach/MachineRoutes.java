package dev.outpost.provider.k8s.reach;

import dev.outpost.channel.Trust;
import dev.outpost.provider.k8s.config.AccessMode;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.URLUtils;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Opens routes to the machines of a namespace. */
public final class MachineRoutes {
    /** The default port of a runtime. */
    private static final int SESSION_PORT = 50051;

    private final KubernetesClient client;
    private final String namespace;

    public MachineRoutes(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /**
     * Replaces {@link AccessMode#AUTO} by the mode for a client inside or outside of the cluster. Returns any other
     * mode unchanged.
     */
    public static AccessMode chosen(AccessMode configured, boolean inCluster) {
        if (configured != AccessMode.AUTO) {
            return configured;
        }
        return inCluster ? AccessMode.POD_IP : AccessMode.PORT_FORWARD;
    }

    /**
     * Opens a route to a machine's pod; empty as long as the cluster has not assigned an address.
     *
     * @param machine the id, which is also the name of its Service
     */
    public Optional<MachineRoute> open(AccessMode accessMode, String machine, Pod pod) {
        return switch (accessMode) {
            case POD_IP -> podIp(pod);
            case SERVICE -> service(machine, pod);
            case PORT_FORWARD -> Optional.of(portForward(pod));
            case AUTO ->
                throw new IllegalArgumentException("way in: auto must be replaced by a choice, got " + accessMode);
        };
    }

    /**
     * Returns a route that holds no resource on this host; empty as long as the cluster has not assigned an address.
     *
     * @param service its Service, if that is the access mode
     */
    public static Optional<MachineRoute> address(AccessMode accessMode, Pod pod, Optional<Service> service) {
        return switch (accessMode) {
            case POD_IP -> podIp(pod);
            case SERVICE -> service.flatMap(known -> ServiceAddress.of(known, pod));
            case PORT_FORWARD, AUTO ->
                throw new IllegalArgumentException(
                        "way in: " + accessMode + " is no address; choose pod-ip or service");
        };
    }

    /**
     * Returns a route to the pod's own address if this host reaches it from outside the cluster's network of pods: through a VPN, on a
     * node, or in a network that routes to pods. Tries to connect, for 2.5 seconds at most.
     */
    public static Optional<MachineRoute> direct(Pod pod, Trust.Pin pin) {
        return podIp(pod).filter(address -> DirectPath.attempt(address, pin) == DirectPath.Outcome.REACHED);
    }

    /** Tries to connect to the pod's own address; empty if the pod has none yet. Takes 2.5 seconds at most. */
    public static Optional<DirectPath.Outcome> attempt(Pod pod, Trust.Pin pin) {
        return podIp(pod).map(address -> DirectPath.attempt(address, pin));
    }

    private static Optional<MachineRoute> podIp(Pod pod) {
        return Optional.ofNullable(pod.getStatus().getPodIP()).map(host -> new Address(host, sessionPort(pod)));
    }

    private Optional<MachineRoute> service(String machine, Pod pod) {
        return Optional.ofNullable(client.services()
                        .inNamespace(namespace)
                        .withName(machine)
                        .get())
                .flatMap(service -> ServiceAddress.of(service, pod));
    }

    private MachineRoute portForward(Pod pod) {
        URI resource = URI.create(URLUtils.join(
                client.getMasterUrl().toString(),
                "api/v1/namespaces",
                namespace,
                "pods",
                pod.getMetadata().getName()));
        Duration connectTimeout = Duration.ofMillis(client.getConfiguration().getConnectionTimeout());
        return PortForward.open(client.getHttpClient(), resource, sessionPort(pod), connectTimeout, System::nanoTime);
    }

    /** Returns the port on which the runtime listens. */
    public static int sessionPort(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .flatMap(container -> container.getPorts().stream())
                .filter(port -> ServiceAddress.SESSION_PORT_NAME.equals(port.getName()))
                .map(ContainerPort::getContainerPort)
                .findFirst()
                .orElse(SESSION_PORT);
    }
}
