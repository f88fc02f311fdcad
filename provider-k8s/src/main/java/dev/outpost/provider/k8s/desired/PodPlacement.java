package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.config.GpuKeys;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.Pairs;
import dev.outpost.provider.k8s.devices.DeviceKind;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTermBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The nodes on which a machine's pod may run.
 *
 * @param resource the extended resource of the GPU; empty if a device is claimed or no GPU is requested
 * @param devices the kinds of device to claim, best first; empty if none is claimed
 * @param nodeSelector labels that the node must have
 * @param terms sets of further labels, of which the node must have one set; empty for no further requirement
 * @param preferred preferred labels, with weights
 * @param tolerations the taints that the node may have
 */
public record PodPlacement(
        Optional<String> resource,
        List<DeviceKind> devices,
        Map<String, String> nodeSelector,
        List<NodeSelectorTerm> terms,
        List<PreferredSchedulingTerm> preferred,
        List<Toleration> tolerations) {
    /** The weight of the best of several kinds of GPU. The others have decreasing weights. */
    private static final int FIRST_WEIGHT = 100;

    private static final int LESS = 10;

    /** Does the same as {@link #of(GpuType, KubernetesConfig, GpuAllocation)}, with an extended resource. */
    public static PodPlacement of(GpuType gpu, KubernetesConfig config) {
        return of(gpu, config, GpuAllocation.EXTENDED_RESOURCE);
    }

    /**
     * @param allocation the method by which the GPU is requested
     * @throws IllegalArgumentException if the labels of nodes with that GPU are unknown, or such a device cannot be claimed; the
     *     message names the setting
     */
    public static PodPlacement of(GpuType gpu, KubernetesConfig config, GpuAllocation allocation) {
        List<GpuType> types = GpuChoice.types(gpu, config);
        List<Toleration> tolerations = tolerations(config, types);
        if (allocation == GpuAllocation.RESOURCE_CLAIM
                && GpuChoice.resource(gpu, config).isPresent()) {
            return new PodPlacement(
                    Optional.empty(),
                    GpuChoice.devices(types, config),
                    merged(config.nodeSelector(), GpuChoice.labelsOfClaimed(types, config)),
                    List.of(),
                    List.of(),
                    tolerations);
        }
        return types.size() == 1
                ? byLabels(gpu, config, tolerations)
                : bySeveralLabels(types, GpuChoice.commonResource(types, config), config, tolerations);
    }

    private static PodPlacement byLabels(GpuType gpu, KubernetesConfig config, List<Toleration> tolerations) {
        Optional<String> resource = GpuChoice.resource(gpu, config);
        Optional<Pairs> labels = GpuChoice.labels(gpu, config);
        return new PodPlacement(
                resource,
                List.of(),
                merged(config.nodeSelector(), labels),
                labels.isPresent() ? List.of() : terms(gpu, resource),
                List.of(),
                tolerations);
    }

    /** Accepts nodes with any of the GPUs, and prefers the better ones. */
    private static PodPlacement bySeveralLabels(
            List<GpuType> types, Optional<String> resource, KubernetesConfig config, List<Toleration> tolerations) {
        List<NodeSelectorTerm> required = new ArrayList<>();
        List<PreferredSchedulingTerm> preferred = new ArrayList<>();
        boolean isAnyNodeFit = false;
        for (int rank = 0; rank < types.size(); rank++) {
            GpuType type = types.get(rank);
            List<NodeSelectorTerm> ofType = GpuChoice.labels(type, config)
                    .map(labels -> List.of(GpuLabels.term(labels.map())))
                    .orElseGet(() -> terms(type, resource));
            isAnyNodeFit |= ofType.isEmpty();
            required.addAll(ofType);
            int weight = Math.max(1, FIRST_WEIGHT - LESS * rank);
            ofType.forEach(term -> preferred.add(new PreferredSchedulingTermBuilder()
                    .withWeight(weight)
                    .withPreference(term)
                    .build()));
        }
        return new PodPlacement(
                resource,
                List.of(),
                merged(config.nodeSelector(), Optional.empty()),
                isAnyNodeFit ? List.of() : required,
                preferred,
                tolerations);
    }

    /** Returns true if the machine requests a GPU in any way. */
    public boolean hasGpu() {
        return resource.isPresent() || !devices.isEmpty();
    }

    /** Returns the terms of the GPU's labels. Empty for a machine that requests no GPU. */
    private static List<NodeSelectorTerm> terms(GpuType gpu, Optional<String> resource) {
        return resource.map(name -> GpuLabels.terms(gpu, name)).orElse(List.of());
    }

    private static Map<String, String> merged(Optional<Pairs> general, Optional<Pairs> own) {
        Map<String, String> selector = new LinkedHashMap<>();
        general.map(Pairs::map).ifPresent(selector::putAll);
        own.map(Pairs::map).ifPresent(selector::putAll);
        return selector;
    }

    private static List<Toleration> tolerations(KubernetesConfig config, List<GpuType> types) {
        return Stream.concat(
                        config.tolerations().stream(),
                        types.stream()
                                .flatMap(gpu -> GpuKeys.settings(config, gpu).stream())
                                .flatMap(own -> own.tolerations().stream()))
                .flatMap(tolerations -> tolerations.list().stream())
                .distinct()
                .toList();
    }
}
