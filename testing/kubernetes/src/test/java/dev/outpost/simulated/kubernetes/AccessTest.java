package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.simulated.kubernetes.api.Kind;
import dev.outpost.simulated.kubernetes.api.Verb;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the permissions of clients, and the existing objects. */
class AccessTest {
    private final TestCluster cluster = TestCluster.start();
    private final KubernetesClient client = ClusterConnection.client(cluster.config());

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void deniedRequestIsForbidden() {
        cluster.deny(Verb.PATCH, "jobs");
        KubernetesClientException refused = assertThrows(
                KubernetesClientException.class,
                () -> client.resource(SampleMachine.job()).serverSideApply());
        assertEquals(403, refused.getCode());
        assertEquals(
                "jobs.batch \"machine-1\" is forbidden: User \"outpost-test\" cannot patch resource \"jobs\" in API group"
                        + " \"batch\" in the namespace \"outpost\"",
                refused.getStatus().getMessage());
    }

    @Test
    void denialOutsideOfNamespacesSaysSo() {
        cluster.deny(Verb.LIST, "nodes");
        KubernetesClientException refused = assertThrows(
                KubernetesClientException.class, () -> client.nodes().list());
        assertEquals(
                "nodes is forbidden: User \"outpost-test\" cannot list resource \"nodes\" in API group \"\" at the"
                        + " cluster scope",
                refused.getStatus().getMessage());
    }

    @Test
    void aReviewTellsWhatIsDenied() {
        cluster.deny(Verb.GET, "pods/log");
        assertFalse(isAllowed("get", "pods", "log"));
        assertTrue(isAllowed("get", "pods", null));
    }

    private boolean isAllowed(String verb, String resource, String subresource) {
        SelfSubjectAccessReview review = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withNamespace("outpost")
                .withVerb(verb)
                .withResource(resource)
                .withSubresource(subresource)
                .endResourceAttributes()
                .endSpec()
                .build();
        return client.resource(review).create().getStatus().getAllowed();
    }

    @Test
    void aKindThatNobodyInstalledIsNotThere() {
        assertFalse(client.supports("kueue.x-k8s.io/v1beta1", "Workload"));
        cluster.install(new Kind("kueue.x-k8s.io", "v1beta1", "workloads", "Workload", true));
        assertTrue(client.supports("kueue.x-k8s.io/v1beta1", "Workload"));
        assertTrue(client.genericKubernetesResources("kueue.x-k8s.io/v1beta1", "Workload")
                .list()
                .getItems()
                .isEmpty());
    }

    @Test
    void aKubeconfigLeadsToIt(@TempDir Path folder) throws IOException {
        Config config = Config.fromKubeconfig(
                cluster.kubeconfig(folder.resolve("config")).toFile());
        assertEquals("outpost", config.getNamespace());
        try (KubernetesClient other = ClusterConnection.client(config)) {
            assertEquals(3, other.nodes().list().getItems().size());
        }
    }

    @Test
    void requestWithoutATokenIsRefused() {
        Config stranger = ClusterConnection.config(cluster.config().getMasterUrl(), "wrong", "outpost");
        try (KubernetesClient other = ClusterConnection.client(stranger)) {
            KubernetesClientException refused = assertThrows(
                    KubernetesClientException.class, () -> other.nodes().list());
            assertEquals(401, refused.getCode());
        }
    }
}
