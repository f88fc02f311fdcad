package dev.outpost.simulated.kubernetes.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.simulated.kubernetes.api.ApiServer;
import dev.outpost.simulated.kubernetes.device.DeviceScheduling;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests where the scheduler puts a pod, or its message. */
class SchedulingDecisionTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final String PRODUCT = "nvidia.com/gpu.product";
    private static final String NO_HELP = "Preemption is not helpful for scheduling";
    private static final String NO_VICTIMS = "No preemption victims found for incoming pod";

    private static final TestNode CPU = TestNode.named("cpu");
    private static final TestNode A100 = TestNode.named("a100").gpus(2, "NVIDIA-A100-SXM4-80GB");
    private static final TestNode T4 = TestNode.named("t4").gpus(1, "Tesla-T4");
    private static final TestNode TAINTED =
            TestNode.named("tainted").gpus(1, "NVIDIA-A100-SXM4-80GB").taint(GPU, "present", "NoSchedule");

    /** @param expected the node's name, or the message */
    record Case(String name, Pod pod, List<TestNode> nodes, List<Pod> running, String expected) {
        @Override
        public String toString() {
            return name;
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void decides(Case one) {
        List<Node> nodes = one.nodes.stream().map(TestNode::node).toList();
        try (ApiServer empty = new ApiServer(InstantSource.system())) {
            SchedulingDecision schedulingDecision =
                    SchedulingDecision.of(one.pod, nodes, one.running, new DeviceScheduling(empty.objects(), one.pod));
            assertEquals(one.expected, schedulingDecision.node().orElse(schedulingDecision.message()));
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case("no nodes", pod(), List.of(), List.of(), "no nodes available to schedule pods"),
                new Case("anything fits", pod(), List.of(CPU), List.of(), "cpu"),
                new Case("a GPU is where GPUs are", pod(gpus(1)), List.of(CPU, A100), List.of(), "a100"),
                new Case(
                        "no GPU at all",
                        pod(gpus(1)),
                        List.of(CPU),
                        List.of(),
                        refusal(1, "1 Insufficient nvidia.com/gpu", "1 " + NO_VICTIMS)),
                new Case(
                        "all GPUs taken",
                        pod(gpus(1)),
                        List.of(CPU, A100),
                        List.of(on("a100", gpus(1)), on("a100", gpus(1))),
                        refusal(2, "2 Insufficient nvidia.com/gpu", "2 " + NO_VICTIMS)),
                new Case(
                        "what has ended takes none",
                        pod(gpus(1)),
                        List.of(A100),
                        List.of(ended(on("a100", gpus(2)))),
                        "a100"),
                new Case(
                        "one of several products",
                        pod(product("In", "Tesla-T4", "L4")),
                        List.of(A100, T4),
                        List.of(),
                        "t4"),
                new Case(
                        "none of the products",
                        pod(product("In", "NVIDIA-H200")),
                        List.of(CPU, A100, T4),
                        List.of(),
                        refusal(3, "3 node(s) didn't match Pod's node affinity/selector", "3 " + NO_HELP)),
                new Case(
                        "terms are alternatives",
                        pod(either("NVIDIA-H200", "Tesla-T4")),
                        List.of(A100, T4),
                        List.of(),
                        "t4"),
                new Case("not in", pod(product("NotIn", "Tesla-T4")), List.of(T4, A100), List.of(), "a100"),
                new Case("exists", pod(product("Exists")), List.of(CPU, T4), List.of(), "t4"),
                new Case("does not exist", pod(product("DoesNotExist")), List.of(T4, CPU), List.of(), "cpu"),
                new Case(
                        "greater than",
                        pod(memory("Gt", "50000")),
                        List.of(A100.label("memory", "40000"), T4.label("memory", "80000")),
                        List.of(),
                        "t4"),
                new Case(
                        "node selector",
                        pod(spec -> new PodBuilder(spec)
                                .editSpec()
                                .addToNodeSelector(PRODUCT, "Tesla-T4")
                                .endSpec()
                                .build()),
                        List.of(A100, T4),
                        List.of(),
                        "t4"),
                new Case(
                        "an untolerated taint",
                        pod(gpus(1)),
                        List.of(TAINTED),
                        List.of(),
                        refusal(1, "1 node(s) had untolerated taint {nvidia.com/gpu: present}", "1 " + NO_HELP)),
                new Case(
                        "a tolerated taint",
                        pod(gpus(1), tolerating("Exists")),
                        List.of(TAINTED),
                        List.of(),
                        "tainted"),
                new Case(
                        "a tolerated value", pod(gpus(1), tolerating("Equal")), List.of(TAINTED), List.of(), "tainted"),
                new Case(
                        "a cordoned node",
                        pod(),
                        List.of(CPU.cordoned()),
                        List.of(),
                        refusal(1, "1 node(s) were unschedulable", "1 " + NO_HELP)),
                new Case(
                        "every node for its own reason",
                        pod(gpus(1), product("In", "NVIDIA-A100-SXM4-80GB")),
                        List.of(CPU, A100, TAINTED),
                        List.of(on("a100", gpus(2))),
                        refusal(
                                3,
                                "1 Insufficient nvidia.com/gpu, 1 node(s) didn't match Pod's node affinity/selector, "
                                        + "1 node(s) had untolerated taint {nvidia.com/gpu: present}",
                                "1 " + NO_VICTIMS + ", 2 " + NO_HELP)));
    }

    private static String refusal(int nodes, String reasons, String preemption) {
        String none = "0/" + nodes + " nodes are available: ";
        return none + reasons + ". preemption: " + none + preemption + ".";
    }

    // ---- pods

    @SafeVarargs
    private static Pod pod(UnaryOperator<Pod>... changes) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("pod")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("machine")
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
        for (UnaryOperator<Pod> change : changes) {
            pod = change.apply(pod);
        }
        return pod;
    }

    private static UnaryOperator<Pod> gpus(int count) {
        return pod -> {
            Container container = pod.getSpec().getContainers().getFirst();
            container.setResources(new io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder()
                    .withLimits(Map.of(GPU, new Quantity(String.valueOf(count))))
                    .build());
            return pod;
        };
    }

    private static UnaryOperator<Pod> product(String operator, String... values) {
        return term(new NodeSelectorRequirement(PRODUCT, operator, List.of(values)));
    }

    private static UnaryOperator<Pod> memory(String operator, String value) {
        return term(new NodeSelectorRequirement("memory", operator, List.of(value)));
    }

    private static UnaryOperator<Pod> either(String first, String second) {
        return term(
                new NodeSelectorRequirement(PRODUCT, "In", List.of(first)),
                new NodeSelectorRequirement(PRODUCT, "In", List.of(second)));
    }

    /** A term for each requirement. */
    private static UnaryOperator<Pod> term(NodeSelectorRequirement... requirements) {
        return pod -> new PodBuilder(pod)
                .editSpec()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withNodeSelectorTerms(Stream.of(requirements)
                        .map(one -> new NodeSelectorTermBuilder()
                                .withMatchExpressions(one)
                                .build())
                        .toList())
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    private static UnaryOperator<Pod> tolerating(String operator) {
        String value = operator.equals("Equal") ? "present" : null;
        return pod -> new PodBuilder(pod)
                .editSpec()
                .addToTolerations(new Toleration("NoSchedule", GPU, operator, null, value))
                .endSpec()
                .build();
    }

    @SafeVarargs
    private static Pod on(String node, UnaryOperator<Pod>... changes) {
        return new PodBuilder(pod(changes))
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build();
    }

    private static Pod ended(Pod pod) {
        return new PodBuilder(pod)
                .editStatus()
                .withPhase("Succeeded")
                .endStatus()
                .build();
    }
}
