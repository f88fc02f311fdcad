package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.simulated.kubernetes.TestCluster;
import dev.outpost.simulated.kubernetes.api.Kind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cluster after {@code kubectl apply -k deploy/backend}. */
class BackendAppliedTest {
    private static final List<JsonNode> OBJECTS = Kustomization.objects(DeployFolder.ROOT.resolve("backend"));

    private final TestCluster cluster = TestCluster.start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(cluster.config()).build();

    @BeforeEach
    void apply() {
        cluster.install(new Kind("apps", "v1", "deployments", "Deployment", true));
        cluster.install(new Kind("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true));
        OBJECTS.forEach(this::apply);
    }

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    private HasMetadata apply(JsonNode object) {
        return client.resource((HasMetadata) Manifests.model(object))
                .forceConflicts()
                .serverSideApply();
    }

    @Test
    void aSecondTimeChangesNothing() {
        for (JsonNode object : OBJECTS) {
            HasMetadata first =
                    client.resource((HasMetadata) Manifests.model(object)).get();
            assertNotNull(first, () -> Manifests.name(object));
            HasMetadata second = apply(object);
            assertEquals(first.getMetadata().getUid(), second.getMetadata().getUid(), () -> Manifests.name(object));
            assertEquals(
                    first.getMetadata().getGeneration(),
                    second.getMetadata().getGeneration(),
                    () -> Manifests.name(object));
        }
    }

    /** The namespace lets in what both Deployments would make, and nothing that may do more. */
    @Test
    void theNamespaceLetsTheirPodsIn() {
        for (Deployment deployment : Manifests.all(Deployment.class, OBJECTS)) {
            assertNotNull(client.resource(podOf(deployment)).create());
            Pod privileged = new PodBuilder(podOf(deployment))
                    .editMetadata()
                    .withName("privileged")
                    .endMetadata()
                    .editSpec()
                    .editFirstContainer()
                    .editSecurityContext()
                    .withPrivileged(true)
                    .endSecurityContext()
                    .endContainer()
                    .endSpec()
                    .build();
            KubernetesClientException refused = assertThrows(
                    KubernetesClientException.class,
                    () -> client.resource(privileged).create());
            assertEquals(403, refused.getCode());
        }
    }

    /** On no node, so that nothing runs it. */
    private static Pod podOf(Deployment deployment) {
        return new PodBuilder()
                .withNewMetadataLike(deployment.getSpec().getTemplate().getMetadata())
                .withName(deployment.getMetadata().getName())
                .withNamespace(deployment.getMetadata().getNamespace())
                .endMetadata()
                .withSpec(deployment.getSpec().getTemplate().getSpec())
                .editSpec()
                .withNodeSelector(Map.of("nowhere", "true"))
                .endSpec()
                .build();
    }
}
