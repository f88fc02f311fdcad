package dev.outpost.provider.k8s.reach;

import io.fabric8.kubernetes.api.model.LoadBalancerIngress;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import java.util.Objects;
import java.util.Optional;

/** The address of a Service for clients outside of the cluster. */
final class ServiceAddress {
    static final String SESSION_PORT_NAME = "session";

    private static final String NODE_PORT = "NodePort";

    private ServiceAddress() {}

    /** Returns the address; empty as long as the cluster has not assigned one. */
    static Optional<MachineRoute> of(Service service, Pod pod) {
        Optional<ServicePort> port = sessionPort(service);
        return NODE_PORT.equals(service.getSpec().getType())
                ? port.flatMap(known -> ofNode(known, pod))
                : port.flatMap(known -> ofLoadBalancer(known, service));
    }

    /**
     * Returns the address of the pod's node. It comes from the pod's status, so no permission to read nodes is
     * needed.
     */
    private static Optional<MachineRoute> ofNode(ServicePort port, Pod pod) {
        String node = pod.getStatus().getHostIP();
        return node == null || port.getNodePort() == null
                ? Optional.empty()
                : Optional.of(new Address(node, port.getNodePort()));
    }

    private static Optional<MachineRoute> ofLoadBalancer(ServicePort port, Service service) {
        return Optional.ofNullable(service.getStatus())
                .map(status -> status.getLoadBalancer())
                .flatMap(balancer -> balancer.getIngress().stream()
                        .map(ServiceAddress::host)
                        .filter(Objects::nonNull)
                        .findFirst())
                .map(host -> new Address(host, port.getPort()));
    }

    private static String host(LoadBalancerIngress ingress) {
        return ingress.getIp() != null ? ingress.getIp() : ingress.getHostname();
    }

    private static Optional<ServicePort> sessionPort(Service service) {
        return service.getSpec().getPorts().stream()
                .filter(port -> SESSION_PORT_NAME.equals(port.getName()))
                .findFirst();
    }
}
