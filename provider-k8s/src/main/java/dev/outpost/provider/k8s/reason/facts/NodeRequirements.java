package dev.outpost.provider.k8s.reason.facts;

import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.reason.text.Wording;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Map;
import java.util.Optional;

/**
 * The requirements of a pod on its node.
 *
 * @param type the GPU's name in the catalogue; empty if any node is suitable, as for a claim of a device
 * @param resource the extended resource, such as {@code nvidia.com/gpu}; empty for a machine without one
 * @param selects true if it has node selectors besides the labels of the type
 */
public record NodeRequirements(String type, String resource, boolean selects) {
    private static final String WHOLE = "nvidia.com/gpu";
    private static final String ANY = "any";

    public static NodeRequirements of(PodFacts pod) {
        return new NodeRequirements(
                pod.hasClaim() ? "" : type(pod.pod()),
                pod.container().flatMap(NodeRequirements::resource).orElse(""),
                Optional.ofNullable(pod.pod().getSpec())
                        .map(PodSpec::getNodeSelector)
                        .filter(selectors -> !selectors.isEmpty())
                        .isPresent());
    }

    private static String type(HasMetadata object) {
        Map<String, String> labels = object.getMetadata().getLabels();
        String type = labels == null ? ANY : labels.getOrDefault(MachineLabels.GPU, ANY);
        return ANY.equals(type) ? "" : type;
    }

    /** Returns the extended resource of a container. The name of an extended resource has the prefix of a domain. */
    private static Optional<String> resource(Container container) {
        return Optional.ofNullable(container.getResources()).map(ResourceRequirements::getLimits).stream()
                .map(Map<String, Quantity>::keySet)
                .flatMap(names ->
                        names.stream().filter(name -> name.contains("/")).sorted())
                .findFirst();
    }

    public boolean isTyped() {
        return !type.isEmpty();
    }

    /** Returns {@code an A100} for a pod that names its type. */
    public String withArticle() {
        return Wording.withArticle(type);
    }

    public boolean isWhole() {
        return resource.equals(WHOLE);
    }
}
