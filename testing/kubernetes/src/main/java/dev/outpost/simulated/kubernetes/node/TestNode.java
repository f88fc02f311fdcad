package dev.outpost.simulated.kubernetes.node;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A node for a test. */
public record TestNode(
        String name,
        Map<String, String> labels,
        List<Taint> taints,
        Map<String, String> capacity,
        boolean schedulable) {

    public TestNode {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
        capacity = Map.copyOf(capacity);
    }

    /** Makes a node with 16 cores, 64 GiB, and no GPU. */
    public static TestNode named(String name) {
        Map<String, String> capacity =
                Map.of("cpu", "16", "memory", "64Gi", "pods", "110", "ephemeral-storage", "100Gi");
        return new TestNode(name, Map.of("kubernetes.io/hostname", name), List.of(), capacity, true);
    }

    /** Adds GPUs of a product, as NVIDIA's feature discovery names it. */
    public TestNode gpus(int count, String product) {
        return label("nvidia.com/gpu.product", product).capacity("nvidia.com/gpu", String.valueOf(count));
    }

    public TestNode label(String key, String value) {
        return new TestNode(name, with(labels, key, value), taints, capacity, schedulable);
    }

    public TestNode capacity(String resource, String amount) {
        return new TestNode(name, labels, taints, with(capacity, resource, amount), schedulable);
    }

    /** @param effect the effect, such as {@code NoSchedule} */
    public TestNode taint(String key, String value, String effect) {
        List<Taint> more = new ArrayList<>(taints);
        more.add(new Taint(effect, key, null, value));
        return new TestNode(name, labels, more, capacity, schedulable);
    }

    /** Cordons the node, like {@code kubectl cordon}. */
    public TestNode cordoned() {
        return new TestNode(name, labels, taints, capacity, false);
    }

    private static Map<String, String> with(Map<String, String> map, String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(map);
        more.put(key, value);
        return more;
    }

    /** Returns the node as an object of the API. */
    public Node node() {
        Map<String, Quantity> amounts = new LinkedHashMap<>();
        capacity.forEach((resource, amount) -> amounts.put(resource, Quantity.parse(amount)));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withTaints(taints)
                .withUnschedulable(schedulable ? null : true)
                .endSpec()
                .withNewStatus()
                .withCapacity(amounts)
                .withAllocatable(amounts)
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withReason("KubeletReady")
                .endCondition()
                .endStatus()
                .build();
    }
}
