package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.simulated.kubernetes.api.Change;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which objects are deleted with others. */
class DeletionTest {
    private static final String JOB = "/apis/batch/v1/namespaces/outpost/jobs/" + SampleMachine.NAME;

    private final TestCluster cluster = TestCluster.start();
    private final SampleMachine machine = new SampleMachine(cluster.client());

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void aJobTakesWithItWhatItOwns() {
        machine.start();
        machine.ready();
        delete(DeletionPropagation.BACKGROUND);
        assertTrue(machine.findJob().isEmpty());
        ClusterAwait.until("its Secret is gone", () -> secret() == null);
        ClusterAwait.until("its pod is gone", () -> machine.findPod().isEmpty());
        assertEquals(0, cluster.runningContainers());
    }

    @Test
    void inTheForegroundAJobGoesLast() {
        machine.start();
        machine.ready();
        List<String> gone = new CopyOnWriteArrayList<>();
        cluster.objects().follow(change -> {
            if (change.type() == Change.Type.DELETED) {
                gone.add(change.path().resource());
            }
        });
        delete(DeletionPropagation.FOREGROUND);
        ClusterAwait.until("the Job is gone", () -> machine.findJob().isEmpty());
        assertEquals("jobs", gone.getLast());
        assertEquals(Set.of("jobs", "pods", "secrets"), Set.copyOf(gone));
    }

    /** The API's default for a Job that is deleted. */
    @Test
    void aJobThatIsDeletedWithoutAWordLeavesItsPodBehind() {
        machine.start();
        machine.ready();
        cluster.client().raw(JOB, "DELETE", Map.of());
        assertTrue(machine.findJob().isEmpty());
        Pod orphan = machine.findPod().orElseThrow();
        assertEquals(0, orphan.getMetadata().getOwnerReferences().size());
        assertNotNull(secret());
    }

    @Test
    void objectOfADeletedOwnerIsDeleted() {
        Job job = machine.apply(SampleMachine.job());
        delete(DeletionPropagation.BACKGROUND);
        cluster.client().resource(machine.secret(job)).serverSideApply();
        ClusterAwait.until("the Secret is gone", () -> secret() == null);
    }

    @Test
    void deletionWithAnotherUidIsRefused() {
        machine.start();
        KubernetesClientException refused = assertThrows(
                KubernetesClientException.class,
                () -> cluster.client().raw(JOB, "DELETE", Map.of("preconditions", Map.of("uid", "another"))));
        assertEquals(409, refused.getCode());
        assertTrue(refused.getMessage().contains("UID in precondition: another"), refused.getMessage());
    }

    @Test
    void aPodHasItsTimeToEnd() {
        machine.start();
        Pod pod = machine.ready();
        cluster.client().resource(pod).delete();
        ClusterAwait.until("the pod is gone", () -> machine.findPod().isEmpty());
        assertTrue(cluster.client().v1().events().list().getItems().stream()
                .anyMatch(event -> event.getReason().equals("Killing")
                        && event.getMessage().equals("Stopping container machine")));
    }

    private void delete(DeletionPropagation how) {
        cluster.client()
                .batch()
                .v1()
                .jobs()
                .withName(SampleMachine.NAME)
                .withPropagationPolicy(how)
                .delete();
    }

    private Secret secret() {
        return cluster.client().secrets().withName(SampleMachine.NAME).get();
    }
}
