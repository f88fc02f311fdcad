package dev.outpost.provider.k8s.reach;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServiceAddressTest {
    private static final Pod POD = new PodBuilder()
            .withNewStatus()
            .withHostIP("192.168.0.1")
            .endStatus()
            .build();

    @Test
    void aLoadBalancerIsReachedByItsAddressOrName() {
        assertEquals(
                Optional.of(new Address("203.0.113.9", 50051)), ServiceAddress.of(balancer("203.0.113.9", null), POD));
        assertEquals(
                Optional.of(new Address("lb.example.com", 50051)),
                ServiceAddress.of(balancer(null, "lb.example.com"), POD));
    }

    @Test
    void aLoadBalancerHasNoAddressAtFirst() {
        assertEquals(Optional.empty(), ServiceAddress.of(balancer(null, null), POD));
        assertEquals(Optional.empty(), ServiceAddress.of(service("LoadBalancer", null), POD));
    }

    @Test
    void aNodePortIsReachedAtTheNodeOfThePod() {
        assertEquals(
                Optional.of(new Address("192.168.0.1", 30123)), ServiceAddress.of(service("NodePort", 30123), POD));
    }

    @Test
    void aNodePortIsDrawnByTheCluster() {
        assertEquals(Optional.empty(), ServiceAddress.of(service("NodePort", null), POD));
    }

    private static Service balancer(String ip, String hostname) {
        return new ServiceBuilder(service("LoadBalancer", 30123))
                .withNewStatus()
                .withNewLoadBalancer()
                .addNewIngress()
                .withIp(ip)
                .withHostname(hostname)
                .endIngress()
                .endLoadBalancer()
                .endStatus()
                .build();
    }

    private static Service service(String type, Integer nodePort) {
        return new ServiceBuilder()
                .withNewSpec()
                .withType(type)
                .addNewPort()
                .withName("management")
                .withPort(50052)
                .withNodePort(30999)
                .endPort()
                .addNewPort()
                .withName("session")
                .withPort(50051)
                .withNodePort(nodePort)
                .endPort()
                .endSpec()
                .build();
    }
}
