package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.GpuType;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirementBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The labels of nodes with a GPU of some type. Each source of labels has a term, and a node must fulfil one of the
 * terms. NVIDIA's feature discovery inspects the device, so if a node has its label, only that label decides. The
 * labels of clouds are known before the node exists, so an autoscaler can start one.
 */
final class GpuLabels {
    static final String PRODUCT = "nvidia.com/gpu.product";

    private static final String GKE_ACCELERATOR = "cloud.google.com/gke-accelerator";
    private static final String GKE_PARTITION = "cloud.google.com/gke-gpu-partition-size";
    private static final String GKE_SHARING = "cloud.google.com/gke-gpu-sharing-strategy";
    private static final List<String> AWS_PREFIXES = List.of("karpenter.k8s.aws/", "eks.amazonaws.com/");
    private static final String AWS_NAME = "instance-gpu-name";
    private static final String AWS_MEMORY = "instance-gpu-memory";

    private GpuLabels() {}

    /**
     * Returns the terms for that GPU, of which a node must fulfil one; empty if any node is suitable.
     *
     * @param resource the resource that requests the GPU, such as {@code nvidia.com/gpu}
     * @throws IllegalArgumentException if the labels are unknown, or no such GPU has the slice that the resource names
     */
    static List<NodeSelectorTerm> terms(GpuType gpu, String resource) {
        if (gpu.isAny()) {
            return List.of();
        }
        LabelledGpu labelled = LabelledGpu.of(gpu.name()).orElseThrow(() -> unlabelled(gpu));
        return Stream.of(products(gpu, labelled, GpuShare.of(resource)), gke(labelled), aws(labelled))
                .flatMap(List::stream)
                .toList();
    }

    private static IllegalArgumentException unlabelled(GpuType gpu) {
        return new IllegalArgumentException("outpost.k8s.gpus." + gpu.name()
                + ".node-selector: the label of nodes with this GPU is not known; set it, such as " + PRODUCT
                + "=NVIDIA-GeForce-RTX-4090");
    }

    /**
     * Returns the terms of NVIDIA's feature discovery. The device plugin's resources and the labels of feature
     * discovery use the same names of slices and shares.
     */
    private static List<NodeSelectorTerm> products(GpuType gpu, LabelledGpu labelled, GpuShare share) {
        List<String> values = share.of(labelled.products());
        requireSlice(gpu, labelled, share);
        return share.keys().stream().map(key -> term(in(key, values))).toList();
    }

    /**
     * Refuses a slice that the GPU does not have.
     *
     * @throws IllegalArgumentException if it refuses; the message names the existing slices
     */
    static void requireSlice(GpuType gpu, GpuShare share) {
        LabelledGpu.of(gpu.name()).ifPresent(labelled -> requireSlice(gpu, labelled, share));
    }

    private static void requireSlice(GpuType gpu, LabelledGpu labelled, GpuShare share) {
        if (share.of(labelled.products()).isEmpty()) {
            throw new IllegalArgumentException("outpost.k8s.resource-name: no " + gpu.name() + " has the slice "
                    + share.profile().orElseThrow() + "; " + slices(labelled));
        }
    }

    private static String slices(LabelledGpu labelled) {
        List<String> profiles = labelled.products().stream()
                .flatMap(product -> MigProfiles.of(product).stream())
                .distinct()
                .toList();
        return profiles.isEmpty() ? "it cannot be sliced" : "there are " + String.join(", ", profiles);
    }

    private static List<NodeSelectorTerm> gke(LabelledGpu labelled) {
        return labelled.gke().isEmpty()
                ? List.of()
                : List.of(term(
                        in(GKE_ACCELERATOR, labelled.gke()),
                        absent(GKE_PARTITION),
                        absent(GKE_SHARING),
                        absent(PRODUCT)));
    }

    private static List<NodeSelectorTerm> aws(LabelledGpu labelled) {
        return labelled.aws().isEmpty()
                ? List.of()
                : AWS_PREFIXES.stream().map(prefix -> aws(prefix, labelled)).toList();
    }

    private static NodeSelectorTerm aws(String prefix, LabelledGpu labelled) {
        List<NodeSelectorRequirement> requirements = new ArrayList<>();
        requirements.add(in(prefix + AWS_NAME, labelled.aws()));
        if (!labelled.awsMemory().isEmpty()) {
            requirements.add(in(prefix + AWS_MEMORY, labelled.awsMemory()));
        }
        requirements.add(absent(PRODUCT));
        return term(requirements.toArray(NodeSelectorRequirement[]::new));
    }

    /** Returns the term of nodes that have all of these labels. */
    static NodeSelectorTerm term(Map<String, String> labels) {
        return term(labels.entrySet().stream()
                .map(label -> in(label.getKey(), List.of(label.getValue())))
                .toArray(NodeSelectorRequirement[]::new));
    }

    private static NodeSelectorTerm term(NodeSelectorRequirement... requirements) {
        return new NodeSelectorTermBuilder().withMatchExpressions(requirements).build();
    }

    private static NodeSelectorRequirement in(String key, List<String> values) {
        return new NodeSelectorRequirementBuilder()
                .withKey(key)
                .withOperator("In")
                .withValues(values)
                .build();
    }

    private static NodeSelectorRequirement absent(String key) {
        return new NodeSelectorRequirementBuilder()
                .withKey(key)
                .withOperator("DoesNotExist")
                .build();
    }
}
