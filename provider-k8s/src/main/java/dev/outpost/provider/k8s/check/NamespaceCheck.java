package dev.outpost.provider.k8s.check;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/**
 * Checks if the namespace of the machines exists. A user with only the permissions for machines may not read the namespace. In that
 * case the check creates a Secret as a dry run, which the API server refuses if the namespace does not exist.
 */
final class NamespaceCheck {
    private static final String NAME = "namespace";
    private static final String REMEDY = "Create it (kubectl apply -k deploy/base), or set outpost.k8s.namespace.";

    private final KubernetesClient client;
    private final String namespace;

    NamespaceCheck(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    ClusterFinding run() {
        return switch (ApiQueryResult.to(() ->
                Optional.ofNullable(client.namespaces().withName(namespace).get()))) {
            case ApiQueryResult.Told<Optional<Namespace>> told ->
                told.value().map(NamespaceCheck::phase).orElseGet(this::missing);
            case ApiQueryResult.Kept<Optional<Namespace>> kept ->
                kept.isForbidden() ? byTrying() : ClusterFinding.problem(NAME, kept.problem());
        };
    }

    private static ClusterFinding phase(Namespace found) {
        String name = found.getMetadata().getName();
        boolean ending = found.getStatus() != null
                && "Terminating".equals(found.getStatus().getPhase());
        return ending
                ? ClusterFinding.problem(NAME, name + " is being deleted", REMEDY)
                : ClusterFinding.ok(NAME, name);
    }

    private ClusterFinding byTrying() {
        return switch (ApiQueryResult.to(this::pretend)) {
            case ApiQueryResult.Told<Secret> told -> ClusterFinding.ok(NAME, namespace);
            case ApiQueryResult.Kept<Secret> kept when kept.isMissing() -> missing();
            case ApiQueryResult.Kept<Secret> kept ->
                ClusterFinding.unknown(
                        NAME,
                        "whether " + namespace + " exists may not be asked: "
                                + kept.problem().what(),
                        "");
        };
    }

    private Secret pretend() {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withName("outpost-doctor")
                .endMetadata()
                .build();
        return client.secrets()
                .inNamespace(namespace)
                .resource(secret)
                .dryRun(true)
                .create();
    }

    private ClusterFinding missing() {
        return ClusterFinding.problem(NAME, "no such namespace: " + namespace, REMEDY);
    }
}
