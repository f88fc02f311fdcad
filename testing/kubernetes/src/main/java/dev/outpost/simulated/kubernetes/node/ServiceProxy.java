package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.api.Change;
import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import dev.outpost.simulated.kubernetes.control.ControlLoop;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Forwards connections from outside to the pods of Services, by load balancers with their own addresses and by node ports. */
public final class ServiceProxy implements AutoCloseable {
    private static final String NAME = "kube-proxy";
    private static final String LOAD_BALANCER = "LoadBalancer";
    private static final Set<String> EXPOSED = Set.of(LOAD_BALANCER, "NodePort");
    private static final int FIRST_NODE_PORT = 30_000;

    private final ClusterObjects objects;
    private final Addresses addresses;
    private final AtomicInteger nodePorts = new AtomicInteger(FIRST_NODE_PORT);
    private final Map<String, List<TcpForward>> open = new HashMap<>();
    private final ControlLoop loop = new ControlLoop("test-services", this::pass);

    public ServiceProxy(ClusterObjects objects, Addresses addresses) {
        this.objects = objects;
        this.addresses = addresses;
        objects.follow(this::changed);
        loop.start();
    }

    private void changed(Change change) {
        if (change.isOf(Service.class)) {
            loop.poke();
        }
    }

    private Optional<Duration> pass() {
        List<Service> services = objects.list(Service.class);
        Set<String> there =
                services.stream().map(service -> service.getMetadata().getUid()).collect(Collectors.toSet());
        Set.copyOf(open.keySet()).stream().filter(uid -> !there.contains(uid)).forEach(this::close);
        services.stream()
                .filter(service -> EXPOSED.contains(service.getSpec().getType()))
                .filter(service -> !open.containsKey(service.getMetadata().getUid()))
                .forEach(this::expose);
        return Optional.empty();
    }

    private void close(String uid) {
        open.remove(uid).forEach(TcpForward::close);
    }

    // ---- one Service

    private void expose(Service service) {
        boolean balanced = service.getSpec().getType().equals(LOAD_BALANCER);
        String address = balanced ? addresses.next() : addresses.ofServer();
        List<ServicePort> ports = service.getSpec().getPorts().stream()
                .map(port -> withNodePort(port, nodePorts.getAndIncrement()))
                .toList();
        open.put(
                service.getMetadata().getUid(),
                ports.stream()
                        .map(port -> TcpForward.open(
                                address, balanced ? port.getPort() : port.getNodePort(), () -> target(service, port)))
                        .toList());
        objects.edit(
                Service.class,
                service.getMetadata().getNamespace(),
                service.getMetadata().getName(),
                NAME,
                present -> balanced ? withAddress(withPorts(present, ports), address) : withPorts(present, ports));
    }

    private static ServicePort withNodePort(ServicePort port, int number) {
        return new ServicePortBuilder(port).withNodePort(number).build();
    }

    private static Service withPorts(Service service, List<ServicePort> ports) {
        return new ServiceBuilder(service).editSpec().withPorts(ports).endSpec().build();
    }

    private static Service withAddress(Service service, String address) {
        return new ServiceBuilder(service)
                .editOrNewStatus()
                .withNewLoadBalancer()
                .addNewIngress()
                .withIp(address)
                .endIngress()
                .endLoadBalancer()
                .endStatus()
                .build();
    }

    /** Returns a ready pod among those that the Service selects. */
    private Optional<InetSocketAddress> target(Service service, ServicePort port) {
        return objects.list(Pod.class).stream()
                .filter(pod -> isSelected(service, pod) && isReady(pod))
                .findFirst()
                .map(pod -> new InetSocketAddress(
                        pod.getStatus().getPodIP(), Ports.number(port.getTargetPort(), PodStatuses.container(pod))));
    }

    private static boolean isSelected(Service service, Pod pod) {
        return pod.getMetadata().getNamespace().equals(service.getMetadata().getNamespace())
                && pod.getMetadata()
                        .getLabels()
                        .entrySet()
                        .containsAll(service.getSpec().getSelector().entrySet());
    }

    private static boolean isReady(Pod pod) {
        return PodConditions.find(pod, "Ready")
                .filter(condition -> condition.getStatus().equals("True"))
                .isPresent();
    }

    @Override
    public void close() {
        loop.close();
        open.values().forEach(forwards -> forwards.forEach(TcpForward::close));
    }
}
