package dev.outpost.provider.k8s.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class GpuNodesTest {
    private static final String PRODUCT = "nvidia.com/gpu.product";
    private static final String GPU = "nvidia.com/gpu";
    private static final Toleration GPU_TAINT = new TolerationBuilder()
            .withKey(GPU)
            .withOperator("Exists")
            .withEffect("NoSchedule")
            .build();
    private static final GpuKind A100 = kind("A100", "NVIDIA-A100-SXM4-80GB", "NVIDIA-A100-SXM4-40GB");
    private static final GpuKind T4 = kind("T4", "Tesla-T4");
    private static final GpuKind ANY = new GpuKind("any", GPU, Map.of(), List.of(), List.of(GPU_TAINT));

    private final FakeCluster cluster = new FakeCluster();

    private static GpuKind kind(String name, String... products) {
        NodeSelectorTerm term = new NodeSelectorTermBuilder()
                .addNewMatchExpression()
                .withKey(PRODUCT)
                .withOperator("In")
                .withValues(products)
                .endMatchExpression()
                .build();
        return new GpuKind(name, GPU, Map.of(), List.of(term), List.of(GPU_TAINT));
    }

    private static NodeBuilder node(String name, String product, int gpus) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels(PRODUCT, product)
                .endMetadata()
                .withNewSpec()
                .addNewTaint("NoSchedule", GPU, null, "present")
                .endSpec()
                .withNewStatus()
                .withAllocatable(Map.of(GPU, new Quantity(Integer.toString(gpus))))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus();
    }

    private static Node plainNode(String name) {
        return new NodeBuilder(node(name, "", 0).build())
                .editMetadata()
                .withLabels(Map.of())
                .endMetadata()
                .build();
    }

    private static Pod pod(String name, String node, int gpus) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withNewResources()
                .addToLimits(GPU, new Quantity(Integer.toString(gpus)))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    @BeforeEach
    void fill() {
        cluster.answer(
                "/api/v1/namespaces/outpost",
                200,
                new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("outpost")
                        .endMetadata()
                        .build());
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    /** Returns the findings after those about permissions. */
    private List<ClusterFinding> run() {
        try (KubernetesClient client = cluster.client()) {
            ClusterQuestions questions =
                    new ClusterQuestions("outpost", false, false, List.of(), List.of(), List.of(A100, T4, ANY));
            List<ClusterFinding> findings = new ClusterCheck(client, questions).run();
            return findings.subList(3, findings.size());
        }
    }

    private void objects(HasMetadata... nodes) {
        cluster.objects("/api/v1/nodes", nodes);
    }

    @Test
    void nodesAreCountedByTypeWithWhatIsFree() {
        objects(
                node("a", "NVIDIA-A100-SXM4-80GB", 8).build(),
                node("b", "NVIDIA-A100-SXM4-40GB", 8).build(),
                node("t", "Tesla-T4", 1).build(),
                plainNode("cpu"));
        cluster.objects("/api/v1/pods", pod("x", "a", 8), pod("y", "b", 3), pod("z", "t", 1), pod("p", null, 4));
        assertEquals(
                List.of(
                        ClusterFinding.ok("nodes with A100", "2 nodes, 5 of 16 GPUs free"),
                        ClusterFinding.ok("nodes with T4", "1 node, 0 of 1 GPUs free")),
                run());
    }

    @Test
    void freeGpusAreUnknownWithoutPods() {
        cluster.deny("list pods everywhere");
        objects(node("a", "NVIDIA-A100-SXM4-80GB", 8).build());
        cluster.forbid("/api/v1/pods", "list", "pods");
        assertEquals(
                List.of(
                        ClusterFinding.warning(
                                "permissions for nodes",
                                "this user may not list pods of the whole cluster: the list of GPUs, and the"
                                        + " number of free ones, is incomplete",
                                "Nothing else needs them; deploy/components/node-reader grants them."),
                        ClusterFinding.ok("nodes with A100", "1 node, 8 GPUs, how many are free is not known")),
                run());
    }

    @Test
    void missingNodePermissionIsAWarning() {
        cluster.deny("list nodes everywhere", "list pods everywhere");
        cluster.forbid("/api/v1/nodes", "list", "nodes");
        assertEquals(
                List.of(ClusterFinding.warning(
                        "permissions for nodes",
                        "this user may not list nodes of the whole cluster, list pods of the whole cluster: the list"
                                + " of GPUs, and the number of free ones, is incomplete",
                        "Nothing else needs them; deploy/components/node-reader grants them.")),
                run());
    }

    @Test
    void nodesThatTakeNoMachineHaveNothingFree() {
        Node cordoned = new NodeBuilder(node("a", "NVIDIA-A100-SXM4-80GB", 8).build())
                .editSpec()
                .withUnschedulable(true)
                .addNewTaint("NoSchedule", "node.kubernetes.io/unschedulable", null, null)
                .endSpec()
                .build();
        Node reserved = new NodeBuilder(node("b", "NVIDIA-A100-SXM4-80GB", 8).build())
                .editSpec()
                .addNewTaint("NoExecute", "dedicated", null, "research")
                .endSpec()
                .build();
        objects(cordoned, reserved, node("c", "NVIDIA-A100-SXM4-80GB", 2).build());
        cluster.objects("/api/v1/pods");
        assertEquals(
                List.of(ClusterFinding.warning(
                        "nodes with A100",
                        "3 nodes, 2 of 18 GPUs free, 1 not ready or cordoned, untolerated taint"
                                + " dedicated=research:NoExecute",
                        "Tolerate it by outpost.k8s.tolerations, or remove it from the nodes that machines may have.")),
                run());
    }

    @Test
    void nodesWithoutADevicePluginOfferNothing() {
        objects(node("a", "NVIDIA-A100-SXM4-80GB", 0).build());
        cluster.objects("/api/v1/pods");
        assertEquals(
                List.of(ClusterFinding.warning(
                        "nodes with A100",
                        "1 node, but no nvidia.com/gpu on them",
                        "Install or restart NVIDIA's device plugin there, or set outpost.k8s.resource-name to the"
                                + " resource that they offer.")),
                run());
    }

    @Test
    void unknownGpuProductsAreReported() {
        objects(node("a", "NVIDIA-GeForce-RTX-4090", 1).build());
        cluster.objects("/api/v1/pods");
        assertEquals(
                List.of(ClusterFinding.ok(
                        "other GPU nodes", "1 NVIDIA-GeForce-RTX-4090: machines of type any may get them")),
                run());
    }

    @Test
    void aClusterWithoutGpusIsAWarning() {
        objects(plainNode("cpu"));
        cluster.objects("/api/v1/pods");
        assertEquals(
                List.of(ClusterFinding.warning(
                        "GPU nodes",
                        "none of 1 node has a GPU",
                        "Add a node with one, unless an autoscaler does; or set outpost.k8s.resource-name to"
                                + " nothing and"
                                + " compute on the CPU.")),
                run());
    }
}
