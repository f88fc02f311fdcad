package dev.outpost.provider.k8s.check;

import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.desired.PatchCoverage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reports the parts of the user's patch that are skipped, and the machines concerned. */
final class PatchCheck {
    private static final String NAME = "patch";

    private PatchCheck() {}

    /** Returns the finding; empty if the whole patch applies to every machine, or if there is no patch. */
    static Optional<ClusterFinding> run(KubernetesConfig settings) {
        Map<String, List<String>> partial = PatchCoverage.partial(settings);
        if (partial.isEmpty()) {
            return Optional.empty();
        }
        String sentence = partial.entrySet().stream()
                .map(entry -> entry.getKey() + " applies to " + kinds(entry.getValue()))
                .collect(Collectors.joining("; "));
        return Optional.of(
                partial.values().stream().anyMatch(List::isEmpty)
                        ? ClusterFinding.warning(
                                NAME,
                                sentence,
                                "Correct its name in outpost.k8s.patch; a new container needs an image, a new volume a"
                                        + " source, a new mount a volume.")
                        : ClusterFinding.ok(NAME, sentence));
    }

    private static String kinds(List<String> kinds) {
        return kinds.isEmpty() ? "no machine, and is skipped" : String.join(", ", kinds) + " only";
    }
}
