package dev.outpost.simulated.kubernetes.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.devices.DeviceCondition;
import dev.outpost.simulated.kubernetes.ClusterAwait;
import dev.outpost.simulated.kubernetes.TestCluster;
import dev.outpost.simulated.kubernetes.node.TestNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how claims of devices are made, allocated and removed. */
class ClaimsTest {
    private static final String A100 = "{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, selectors: [{cel:"
            + " {expression: \"device.attributes['gpu.nvidia.com'].productName.replace(' ', '-') in"
            + " ['NVIDIA-A100-SXM4-80GB']\"}}]}}";

    private final TestCluster cluster = TestCluster.startWithDevices();
    private final KubernetesClient client = cluster.client();

    /** The claims of a pod are deleted when it ends, so its container must not end while a test reads them. */
    @BeforeEach
    void runContainersUntilKilled() {
        cluster.runWith(start -> new EndlessContainer());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** A pod with a claim of the template. */
    private void create(String name, String requests, String constraints) {
        client.resource(Serialization.unmarshal(
                        """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceClaimTemplate
                        metadata: {name: %s, namespace: outpost}
                        spec:
                          metadata: {labels: {of: %s}}
                          spec: {devices: {requests: [%s], constraints: [%s]}}
                        """.formatted(name, name, requests, constraints), ResourceClaimTemplate.class))
                .create();
        client.resource(Serialization.unmarshal("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: %s, namespace: outpost}
                        spec:
                          securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
                          resourceClaims: [{name: gpu, resourceClaimTemplateName: %s}]
                          containers:
                          - name: main
                            image: registry.example/train:1
                            securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
                            resources: {claims: [{name: gpu}]}
                        """.formatted(name, name), Pod.class))
                .create();
    }

    private static String request(String name, String expression) {
        return "{name: " + name + ", exactly: {deviceClassName: gpu.nvidia.com, selectors: [{cel: {expression: \""
                + expression + "\"}}]}}";
    }

    private Pod pod(String name) {
        return client.pods().inNamespace("outpost").withName(name).get();
    }

    private List<ResourceClaim> claims(String name) {
        return client.resources(ResourceClaim.class)
                .inNamespace("outpost")
                .withLabel("of", name)
                .list()
                .getItems();
    }

    private List<DeviceRequestAllocationResult> allocated(String name) {
        return ClusterAwait.present(
                name + " has its devices",
                () -> claims(name).stream()
                        .filter(claim -> claim.getStatus() != null)
                        .findFirst()
                        .map(claim ->
                                claim.getStatus().getAllocation().getDevices().getResults()));
    }

    private String refusal(String name) {
        return ClusterAwait.present(
                name + " is refused",
                () -> pod(name).getStatus().getConditions().stream()
                        .filter(condition ->
                                condition.getType().equals("PodScheduled") && condition.getMessage() != null)
                        .map(condition -> condition.getMessage())
                        .findFirst());
    }

    @Test
    void aClaimGetsADeviceThatMeetsItsSelectors() {
        create("one", A100, "");
        DeviceRequestAllocationResult result = allocated("one").getFirst();
        assertEquals("gpu", result.getRequest());
        assertEquals("a100-1/gpu-0", result.getPool() + "/" + result.getDevice());
        ClusterAwait.until(
                "it is on that node", () -> "a100-1".equals(pod("one").getSpec().getNodeName()));
    }

    @Test
    void quantitiesAndVersionsAreCompared() {
        String memory = "device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('79Gi')) >= 0";
        String capability = "device.attributes['gpu.nvidia.com'].cudaComputeCapability.compareTo(semver('9.0.0')) >= 0";
        create("large", request("gpu", memory + " && " + capability), "");
        assertEquals("h100-1", allocated("large").getFirst().getPool());
    }

    /** The scheduler skips such a pod until something changes, and continues with others. */
    @Test
    void aSelectorThatReadsWhatADeviceDoesNotPublishFailsForAllDevices() {
        cluster.addNode(TestNode.named("gb10-1"));
        cluster.devices().publish("gb10-1", TestDevices.withoutMemory("NVIDIA GB10", "12.1.0"));
        String memory = "device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('79Gi')) >= 0";
        create("bare", request("gpu", memory), "");
        assertTrue(refusal("bare").contains("CEL runtime error"), refusal("bare"));
        create("guarded", request("gpu", "'memory' in device.capacity['gpu.nvidia.com'] && " + memory), "");
        assertEquals("a100-1", allocated("guarded").getFirst().getPool());
    }

    /** The expressions of machines' claims first check whether the value exists. */
    @Test
    void guardedSelectorsPassDevicesThatPublishLittle() {
        cluster.addNode(TestNode.named("bare-1"));
        cluster.devices().publish("bare-1", TestDevices.withoutAttributes());
        for (DeviceCondition condition : List.of(
                new DeviceCondition.Product(List.of("NVIDIA-A100-SXM4-80GB")),
                new DeviceCondition.Memory(70_000),
                new DeviceCondition.Capability("8.0.0"))) {
            String name = "of-" + condition.getClass().getSimpleName().toLowerCase(Locale.ROOT);
            create(name, request("gpu", condition.expression()), "");
            assertTrue(List.of("a100-1", "h100-1")
                    .contains(allocated(name).getFirst().getPool()));
        }
        create(
                "slice",
                request("gpu", new DeviceCondition.Profile("1g.10gb").expression())
                        .replace("gpu.nvidia.com, selectors", "mig.nvidia.com, selectors"),
                "");
        assertEquals("mig-1", allocated("slice").getFirst().getPool());
    }

    @Test
    void aVersionMayHaveASuffix() {
        cluster.addNode(TestNode.named("h200-1"));
        cluster.devices().publish("h200-1", TestDevices.gpus(1, "NVIDIA H200", "141Gi", "9.0.0-rc1"));
        String product = "device.attributes['gpu.nvidia.com'].productName == 'NVIDIA H200'";
        String capability = "device.attributes['gpu.nvidia.com'].cudaComputeCapability.compareTo(semver('9.0.0')) >= 0";
        create("newest", request("gpu", product + " && " + capability), "");
        assertEquals("h200-1", allocated("newest").getFirst().getPool());
    }

    /** The pod is refused, and the scheduler continues with others. */
    @Test
    void aTextThatIsNoVersionFailsItsPodOnly() {
        String capability = "device.attributes['gpu.nvidia.com'].cudaComputeCapability.compareTo(semver('nine')) >= 0";
        create("wrong", request("gpu", capability), "");
        assertTrue(refusal("wrong").contains("CEL runtime error"), refusal("wrong"));
        create("right", A100, "");
        assertEquals("a100-1", allocated("right").getFirst().getPool());
    }

    /** Pools of two drivers may have the same name, such as that of their node. */
    @Test
    void aPoolOfAnotherDriverHasGenerationsOfItsOwn() {
        client.resource(Serialization.unmarshal("""
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceSlice
                        metadata: {name: a100-1-nic.example.com}
                        spec:
                          driver: nic.example.com
                          nodeName: a100-1
                          pool: {name: a100-1, generation: 7, resourceSliceCount: 1}
                          devices: [{name: nic-0}]
                        """, ResourceSlice.class)).create();
        create("one", A100, "");
        assertEquals("gpu-0", allocated("one").getFirst().getDevice());
    }

    @Test
    void theFirstAlternativeThatIsAvailableIsTaken() {
        String alternatives = "{name: gpu, firstAvailable: [%s, %s]}"
                .formatted(alternative("b200", "NVIDIA B200"), alternative("h100", "NVIDIA H100 80GB HBM3"));
        create("any", alternatives, "");
        assertEquals("gpu/h100", allocated("any").getFirst().getRequest());
    }

    private static String alternative(String name, String product) {
        return "{name: " + name + ", deviceClassName: gpu.nvidia.com, selectors: [{cel: {expression: \""
                + "device.attributes['gpu.nvidia.com'].productName == '" + product + "'\"}}]}";
    }

    /** Devices 0 and 1 share a root; with 0 tainted the next pair is 2 and 3. */
    @Test
    void devicesOfAClaimHaveTheAttributeInCommon() {
        cluster.devices().taint("h100-1", "gpu-0", "gpu.nvidia.com/xid", "NoSchedule");
        String h100 = "device.attributes['gpu.nvidia.com'].productName == 'NVIDIA H100 80GB HBM3'";
        create(
                "pair",
                request("gpu-0", h100) + ", " + request("gpu-1", h100),
                "{requests: [gpu-0, gpu-1], matchAttribute: resource.kubernetes.io/pcieRoot}");
        assertEquals(
                List.of("gpu-2", "gpu-3"),
                allocated("pair").stream()
                        .map(DeviceRequestAllocationResult::getDevice)
                        .toList());
    }

    @Test
    void aClaimThatNothingMeetsIsToldByNodes() {
        create("none", request("gpu", "device.attributes['gpu.nvidia.com'].productName == 'NVIDIA B200'"), "");
        assertTrue(
                refusal("none").startsWith("0/5 nodes are available: 5 cannot allocate all claims."), refusal("none"));
    }

    @Test
    void aMissingClassIsNamed() {
        create("classless", "{name: gpu, exactly: {deviceClassName: gpu.example.com}}", "");
        assertTrue(
                refusal("classless")
                        .startsWith(
                                "0/5 nodes are available: request gpu: device class gpu.example.com does not exist."),
                refusal("classless"));
    }

    @Test
    void aClaimGoesWithItsPodAndFreesItsDevices() {
        create("first", A100, "");
        allocated("first");
        client.resource(pod("first")).delete();
        ClusterAwait.until("the claim is gone", () -> claims("first").isEmpty());
        create("second", A100, "");
        assertEquals("gpu-0", allocated("second").getFirst().getDevice());
    }

    @Test
    void aPodIsSentAwayFromADeviceWithANoExecuteTaint() {
        create("one", A100, "");
        allocated("one");
        cluster.devices().taint("a100-1", "gpu-0", "gpu.nvidia.com/gpu-lost", "NoExecute");
        ClusterAwait.until("the pod is gone", () -> pod("one") == null);
    }

    @Test
    void devicesLeaveWithTheirNode() {
        cluster.removeNode("a100-1");
        create("one", A100, "");
        assertTrue(refusal("one").contains("4 cannot allocate all claims"), refusal("one"));
        assertEquals(
                Optional.empty(),
                claims("one").stream()
                        .filter(claim -> claim.getStatus() != null)
                        .findFirst());
    }
}
