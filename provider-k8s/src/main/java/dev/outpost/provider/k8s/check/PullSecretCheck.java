package dev.outpost.provider.k8s.check;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks if the Secrets with credentials for registries exist and contain credentials. */
final class PullSecretCheck {
    private static final String NAME = "pull secret";
    private static final String REMEDY =
            "Create it with kubectl create secret docker-registry, or correct outpost.k8s.image-pull-secrets.";

    private final KubernetesClient client;
    private final String namespace;
    private final List<PullSecret> found = new ArrayList<>();
    private final List<ClusterFinding> findings = new ArrayList<>();

    PullSecretCheck(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    void run(String name) {
        ApiQueryResult<Optional<Secret>> answer = ApiQueryResult.to(() -> Optional.ofNullable(
                client.secrets().inNamespace(namespace).withName(name).get()));
        switch (answer) {
            case ApiQueryResult.Told<Optional<Secret>> told -> describe(name, told.value());
            case ApiQueryResult.Kept<Optional<Secret>> kept ->
                findings.add(ClusterFinding.unknown(
                        NAME,
                        name + " may not be read: " + kept.problem().what(),
                        kept.problem().remedy()));
        }
    }

    private void describe(String name, Optional<Secret> secret) {
        if (secret.isEmpty()) {
            findings.add(
                    ClusterFinding.problem(NAME, "no such Secret: " + name + " in namespace " + namespace, REMEDY));
            return;
        }
        Optional<PullSecret> readable = secret.flatMap(PullSecret::of);
        readable.ifPresent(found::add);
        findings.add(readable.map(read -> ClusterFinding.ok(NAME, name + ", for " + String.join(", ", sorted(read))))
                .orElseGet(() -> ClusterFinding.problem(
                        NAME,
                        name + " holds no credentials for registries, its type is "
                                + secret.get().getType(),
                        REMEDY)));
    }

    private static List<String> sorted(PullSecret secret) {
        return secret.registries().stream().sorted().toList();
    }

    /** Returns the Secrets that contain credentials. */
    List<PullSecret> found() {
        return List.copyOf(found);
    }

    List<ClusterFinding> findings() {
        return List.copyOf(findings);
    }
}
