package dev.outpost.provider.k8s.check;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.VersionInfo;
import java.util.List;
import java.util.Optional;

/** Checks if the API server answers, and reports its version. */
final class ServerCheck {
    private static final String NAME = "cluster";

    /** The oldest supported minor version: the first with Pod Security, which machines need. */
    private static final int OLDEST_MINOR = 25;

    private final KubernetesClient client;

    ServerCheck(KubernetesClient client) {
        this.client = client;
    }

    ClusterFinding run() {
        return switch (ApiQueryResult.to(client::getKubernetesVersion)) {
            case ApiQueryResult.Told<VersionInfo> told -> describe(told.value());
            case ApiQueryResult.Kept<VersionInfo> kept -> ClusterFinding.problem(NAME, kept.problem());
        };
    }

    private ClusterFinding describe(VersionInfo version) {
        String sentence = context() + " at " + client.getMasterUrl() + ", Kubernetes " + version.getGitVersion();
        return isOld(version)
                ? ClusterFinding.warning(
                        NAME, sentence + ", older than 1." + OLDEST_MINOR, "Update it: machines need features of 1.25.")
                : ClusterFinding.ok(NAME, sentence);
    }

    private String context() {
        return Optional.ofNullable(client.getConfiguration().getCurrentContext())
                .map(NamedContext::getName)
                .map(name -> "context " + name)
                .orElse("this cluster");
    }

    /** Returns true if the version is too old. Vendors write the minor version as {@code 29+}. */
    private static boolean isOld(VersionInfo version) {
        List<Integer> numbers = List.of(number(version.getMajor()), number(version.getMinor()));
        return numbers.getFirst() == 1 && numbers.getLast() < OLDEST_MINOR;
    }

    private static int number(String text) {
        String digits = text == null ? "" : text.replaceAll("\\D.*", "");
        return digits.isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }
}
