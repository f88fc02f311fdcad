package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.k8s.config.GpuKeys;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.KubernetesConfig.GpuSettings;
import dev.outpost.provider.k8s.config.Pairs;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a machine's pod may run.
 *
 * @param resource the resource by which a GPU is asked for; none asks for no GPU
 * @param nodeSelector labels that the node must have
 * @param terms sets of further labels, of which the node must have one set; none asks for nothing
 * @param tolerations the taints that the node may have
 */
public record Placement(
        Optional<String> resource,
        Map<String, String> nodeSelector,
        List<NodeSelectorTerm> terms,
        List<Toleration> tolerations) {

    /**
     * @throws IllegalArgumentException when nobody said how nodes with that GPU are labelled; the message names the
     *     setting
     */
    public static Placement of(GpuType gpu, KubernetesConfig config) {
        Optional<GpuSettings> own = GpuKeys.settings(config, gpu);
        Optional<String> resource = own.flatMap(GpuSettings::resourceName).or(config::resourceName);
        Optional<Pairs> labels = own.flatMap(GpuSettings::nodeSelector);
        return new Placement(
                resource,
                merged(config.nodeSelector(), labels),
                labels.isPresent() ? List.of() : terms(gpu, resource),
                tolerations(config, own));
    }

    /** Whether a node with these labels will do; its taints are another matter. */
    public boolean fits(Map<String, String> labels) {
        return labels.entrySet().containsAll(nodeSelector.entrySet())
                && (terms.isEmpty() || terms.stream().anyMatch(term -> NodeTerms.fits(term, labels)));
    }

    /** A machine that asks for no GPU finds none on its node, whatever the node is called. */
    private static List<NodeSelectorTerm> terms(GpuType gpu, Optional<String> resource) {
        return resource.map(name -> GpuLabels.terms(gpu, name)).orElse(List.of());
    }

    private static Map<String, String> merged(Optional<Pairs> general, Optional<Pairs> own) {
        Map<String, String> selector = new LinkedHashMap<>();
        general.map(Pairs::map).ifPresent(selector::putAll);
        own.map(Pairs::map).ifPresent(selector::putAll);
        return selector;
    }

    private static List<Toleration> tolerations(KubernetesConfig config, Optional<GpuSettings> own) {
        return Stream.concat(config.tolerations().stream(), own.flatMap(GpuSettings::tolerations).stream())
                .flatMap(tolerations -> tolerations.list().stream())
                .distinct()
                .toList();
    }
}
