package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.simulated.kubernetes.api.Verb;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests server-side apply, as in the real API server. */
class ApplyTest {
    private final TestCluster cluster = TestCluster.start();
    private final KubernetesClient client = ClusterConnection.client(cluster.config());

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void applyCreatesAMissingObject() {
        Job job = apply("outpost", suspended(SampleMachine.job()));
        assertEquals("outpost", job.getMetadata().getNamespace());
        assertEquals(1L, job.getMetadata().getGeneration());
        assertFalse(job.getMetadata().getUid().isEmpty());
        assertTrue(job.getMetadata().getCreationTimestamp().endsWith("Z"));
        assertEquals(List.of("outpost"), managers(job));
        assertEquals(1, cluster.made("jobs"));
    }

    @Test
    void repeatedApplyChangesNothing() {
        Job first = apply("outpost", suspended(SampleMachine.job()));
        Job second = apply("outpost", suspended(SampleMachine.job()));
        assertEquals(first.getMetadata().getUid(), second.getMetadata().getUid());
        ClusterAwait.until("the Job's controller has said that it is suspended", () -> get().getStatus() != null);
        Job third = apply("outpost", suspended(SampleMachine.job()));
        assertEquals(
                get().getMetadata().getResourceVersion(), third.getMetadata().getResourceVersion());
        assertEquals(1, cluster.made("jobs"));
        assertEquals(3, cluster.requests().of(Verb.PATCH, "jobs"));
    }

    @Test
    void aChangeIsCounted() {
        Job first = apply("outpost", suspended(SampleMachine.job()));
        Job second = apply(
                "outpost",
                new JobBuilder(suspended(SampleMachine.job()))
                        .editSpec()
                        .withActiveDeadlineSeconds(60L)
                        .endSpec()
                        .build());
        assertEquals(2L, second.getMetadata().getGeneration());
        assertNotEquals(
                first.getMetadata().getResourceVersion(), second.getMetadata().getResourceVersion());
    }

    @Test
    void fieldsOfSeveralManagersAreMerged() {
        apply("outpost", map(Map.of("a", "1")));
        ConfigMap both = apply("kueue", map(Map.of("b", "2")));
        assertEquals(Map.of("a", "1", "b", "2"), both.getData());
        assertEquals(List.of("outpost", "kueue"), managers(both));
    }

    @Test
    void applyRemovesFieldsThatAreNoLongerSet() {
        apply("outpost", map(Map.of("a", "1", "b", "2")));
        apply("kueue", map(Map.of("b", "2")));
        ConfigMap left = apply("outpost", map(Map.of()));
        assertEquals(Map.of("b", "2"), left.getData());
    }

    @Test
    void fieldOfAnotherManagerIsAConflict() {
        apply("outpost", suspended(SampleMachine.job()));
        admit();
        KubernetesClientException refused =
                assertThrows(KubernetesClientException.class, () -> apply("outpost", suspended(SampleMachine.job())));
        assertEquals(409, refused.getCode());
        assertEquals(
                "Apply failed with 1 conflict: conflict with \"kueue\" using batch/v1: .spec.suspend",
                refused.getStatus().getMessage());
        assertEquals(false, get().getSpec().getSuspend());
    }

    @Test
    void forcedApplyTakesTheFieldOfAnotherManager() {
        apply("outpost", suspended(SampleMachine.job()));
        admit();
        Job forced = client.resource(suspended(SampleMachine.job()))
                .fieldManager("outpost")
                .forceConflicts()
                .serverSideApply();
        assertTrue(forced.getSpec().getSuspend());
    }

    @Test
    void anothersFieldStaysWhenNothingIsSaidOfIt() {
        apply("outpost", suspended(SampleMachine.job()));
        admit();
        assertEquals(false, apply("outpost", SampleMachine.job()).getSpec().getSuspend());
    }

    @Test
    void listsOfContainersAreMergedByName() {
        apply("outpost", suspended(SampleMachine.job()));
        Job second = apply("outpost", suspended(SampleMachine.job()));
        assertEquals(1, second.getSpec().getTemplate().getSpec().getContainers().size());
        assertEquals(
                2,
                second.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getPorts()
                        .size());
    }

    @Test
    void aJobsTemplateStaysAsItIs() {
        apply("outpost", suspended(SampleMachine.job()));
        Job other = suspended(SampleMachine.job());
        other.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage("other");
        KubernetesClientException refused =
                assertThrows(KubernetesClientException.class, () -> apply("outpost", other));
        assertEquals(422, refused.getCode());
        assertTrue(refused.getMessage().contains("field is immutable"), refused.getMessage());
    }

    @Test
    void anUnknownNamespaceIsNotFound() {
        KubernetesClientException refused = assertThrows(
                KubernetesClientException.class,
                () -> client.resource(SampleMachine.job())
                        .inNamespace("nowhere")
                        .serverSideApply());
        assertEquals(404, refused.getCode());
        assertEquals("namespaces \"nowhere\" not found", refused.getStatus().getMessage());
        assertNull(client.batch()
                .v1()
                .jobs()
                .inNamespace("nowhere")
                .withName(SampleMachine.NAME)
                .get());
    }

    // ---- helpers

    private <T extends HasMetadata> T apply(String manager, T object) {
        return client.resource(object).fieldManager(manager).serverSideApply();
    }

    /** As Kueue does if there is room. */
    private void admit() {
        cluster.objects()
                .edit(
                        Job.class,
                        "outpost",
                        SampleMachine.NAME,
                        "kueue",
                        job -> new JobBuilder(job)
                                .editSpec()
                                .withSuspend(false)
                                .endSpec()
                                .build());
    }

    private Job get() {
        return cluster.client().batch().v1().jobs().withName(SampleMachine.NAME).get();
    }

    private static Job suspended(Job job) {
        return new JobBuilder(job).editSpec().withSuspend(true).endSpec().build();
    }

    private static ConfigMap map(Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("map")
                .endMetadata()
                .withData(data)
                .build();
    }

    private static List<String> managers(HasMetadata object) {
        return object.getMetadata().getManagedFields().stream()
                .map(ManagedFieldsEntry::getManager)
                .toList();
    }
}
