package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.desired.MachineContainer;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.networking.v1.IPBlock;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The clients that get through to the machines that the provider makes, and the reach of these. */
@Tag("quick")
class NetworkPolicyTest {
    private static final List<JsonNode> BASE = Kustomization.objects(DeployFolder.BASE);
    private static final List<JsonNode> MONITORING = Kustomization.objects(DeployFolder.component("monitoring"));

    @Test
    void everyPolicyIsAboutMachines() {
        Map<String, String> machine = Overlay.base().podLabels();
        Stream.concat(BASE.stream(), MONITORING.stream())
                .map(Manifests::model)
                .filter(NetworkPolicy.class::isInstance)
                .map(NetworkPolicy.class::cast)
                .forEach(policy -> {
                    var selected = policy.getSpec().getPodSelector();
                    assertEquals(List.of(), selected.getMatchExpressions());
                    assertTrue(
                            machine.entrySet()
                                    .containsAll(selected.getMatchLabels().entrySet()),
                            policy::toString);
                    assertEquals(Map.of("app.kubernetes.io/name", "outpost-machine"), selected.getMatchLabels());
                });
    }

    @Test
    void trafficIsDeniedByDefault() {
        assertEquals(
                List.of("Ingress", "Egress"),
                policy("outpost-machine").getSpec().getPolicyTypes());
    }

    @Test
    void onlyTheSessionPortIsOpen() {
        var rules = policy("outpost-machine").getSpec().getIngress();
        assertEquals(1, rules.size());
        assertEquals(List.of(), rules.getFirst().getFrom());
        assertEquals(
                List.of("TCP " + MachineContainer.SESSION_PORT),
                ports(rules.getFirst().getPorts()));
        assertEquals(List.of(), policy("outpost-machine-model-store").getSpec().getIngress());
    }

    @Test
    void namesAreAskedOfTheClusterOnly() {
        var rules = policy("outpost-machine").getSpec().getEgress();
        assertEquals(1, rules.size());
        NetworkPolicyEgressRule names = rules.getFirst();
        assertEquals(List.of("UDP 53", "TCP 53"), ports(names.getPorts()));
        assertEquals(2, names.getTo().size());
        assertEquals(
                Map.of("k8s-app", "kube-dns"),
                names.getTo().getFirst().getPodSelector().getMatchLabels());
        assertEquals(
                Map.of("kubernetes.io/metadata.name", "kube-system"),
                names.getTo().getFirst().getNamespaceSelector().getMatchLabels());
        assertEquals("169.254.20.10/32", names.getTo().getLast().getIpBlock().getCidr());
    }

    /** An address of each kind that a machine has no business with. */
    @Test
    void modelsComeFromPublicAddresses() {
        var rules = policy("outpost-machine-model-store").getSpec().getEgress();
        assertEquals(1, rules.size());
        assertEquals(List.of("TCP 443"), ports(rules.getFirst().getPorts()));
        List<Cidr> closed = rules.getFirst().getTo().stream()
                .map(NetworkPolicyPeer::getIpBlock)
                .map(IPBlock::getExcept)
                .flatMap(List::stream)
                .map(Cidr::of)
                .toList();
        for (String address : List.of(
                "10.96.0.1",
                "100.64.3.2",
                "169.254.169.254",
                "172.31.255.255",
                "192.168.1.1",
                "fd00:ec2::254",
                "fe80::1")) {
            assertTrue(closed.stream().anyMatch(block -> block.holds(address)), address);
        }
        for (String address : List.of("52.216.1.1", "142.250.1.1", "172.32.0.1", "2600:1fa0::1")) {
            assertTrue(closed.stream().noneMatch(block -> block.holds(address)), address);
        }
    }

    // ---- metrics

    @Test
    void onlyPrometheusGetsToTheManagementPort() {
        NetworkPolicy metrics = Manifests.only(NetworkPolicy.class, MONITORING);
        assertEquals(List.of("Ingress"), metrics.getSpec().getPolicyTypes());
        var rule = metrics.getSpec().getIngress().getFirst();
        assertEquals(List.of("TCP " + MachineContainer.MANAGEMENT_PORT), ports(rule.getPorts()));
        assertEquals(1, rule.getFrom().size());
        assertEquals(
                Map.of("app.kubernetes.io/name", "prometheus"),
                rule.getFrom().getFirst().getPodSelector().getMatchLabels());
        assertEquals(
                Map.of("kubernetes.io/metadata.name", "monitoring"),
                rule.getFrom().getFirst().getNamespaceSelector().getMatchLabels());
    }

    @Test
    void prometheusFindsTheManagementPortOfEveryMachine() {
        var monitor = Manifests.only(CustomSchemas.ServiceMonitor.class, MONITORING);
        var endpoint = monitor.spec().endpoints().getFirst();
        var service = Overlay.base().service(AccessMode.POD_IP);
        Map<String, String> labels = service.getMetadata().getLabels();
        assertTrue(labels.entrySet()
                .containsAll(monitor.spec().selector().getMatchLabels().entrySet()));
        assertTrue(labels.keySet().containsAll(monitor.spec().targetLabels()));
        assertEquals(
                MachineContainer.MANAGEMENT_PORT,
                service.getSpec().getPorts().stream()
                        .filter(port -> port.getName().equals(endpoint.port()))
                        .map(ServicePort::getPort)
                        .findFirst()
                        .orElseThrow());
        var probe = Overlay.base().container().getReadinessProbe().getHttpGet();
        assertEquals(probe.getScheme(), endpoint.scheme().toUpperCase(java.util.Locale.ROOT));
        assertEquals("/q/metrics", endpoint.path());
        var secret = Overlay.base().job().getSpec().getTemplate().getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals("metrics"))
                .findFirst()
                .orElseThrow()
                .getSecret();
        assertTrue(secret.getOptional());
        assertEquals(
                secret.getSecretName(), endpoint.authorization().credentials().getName());
    }

    private static NetworkPolicy policy(String name) {
        return Manifests.all(NetworkPolicy.class, BASE).stream()
                .filter(policy -> policy.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> ports(List<NetworkPolicyPort> ports) {
        return ports.stream()
                .map(port -> port.getProtocol() + " "
                        + Objects.requireNonNull(port.getPort()).getIntVal())
                .toList();
    }
}
