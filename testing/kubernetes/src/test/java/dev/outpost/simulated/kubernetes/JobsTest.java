package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.simulated.kubernetes.node.PodFailure;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the life of a Job. */
class JobsTest {
    private final TestCluster cluster = TestCluster.start();
    private final SampleMachine machine = new SampleMachine(cluster.client());

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void aJobHasOnePod() {
        Job job = machine.start();
        Pod pod = machine.ready();
        assertTrue(
                pod.getMetadata().getName().matches("machine-1-[a-z0-9]{5}"),
                pod.getMetadata().getName());
        assertEquals("outpost", pod.getMetadata().getLabels().get("app"));
        assertEquals(SampleMachine.NAME, pod.getMetadata().getLabels().get("batch.kubernetes.io/job-name"));
        assertEquals(
                job.getMetadata().getUid(),
                pod.getMetadata().getOwnerReferences().getFirst().getUid());
        assertEquals(1, cluster.made("pods"));
        ClusterAwait.until(
                "the Job counts it",
                () -> Integer.valueOf(1)
                        .equals(machine.findJob().orElseThrow().getStatus().getReady()));
    }

    @Test
    void aJobWhosePodFailsFailsAndMakesNoOther() {
        cluster.pods().failNext(new PodFailure.Crash(1, List.of("Exception")));
        machine.start();
        JobCondition failed = condition(machine.jobWhen("Failed"), "Failed");
        assertEquals("BackoffLimitExceeded", failed.getReason());
        assertEquals("Job has reached the specified backoff limit", failed.getMessage());
        assertEquals(1, cluster.made("pods"));
    }

    @Test
    void aJobWhosePodIsDeletedFailsAndMakesNoOther() {
        machine.start();
        machine.ready();
        cluster.pods().fail(SampleMachine.NAME, new PodFailure.Deleted());
        assertEquals(
                "BackoffLimitExceeded",
                condition(machine.jobWhen("Failed"), "Failed").getReason());
        assertEquals(1, cluster.made("pods"));
    }

    @Test
    void aJobOfTooLongALifeIsEnded() {
        machine.start(SampleMachine.job(spec -> spec.setActiveDeadlineSeconds(3600L)));
        machine.ready();
        cluster.jobs().advance(Duration.ofHours(2));
        JobCondition failed = condition(machine.jobWhen("Failed"), "Failed");
        assertEquals("DeadlineExceeded", failed.getReason());
        assertEquals("Job was active longer than specified deadline", failed.getMessage());
        assertTrue(machine.findPod().isEmpty());
        assertEquals(0, cluster.runningContainers());
    }

    @Test
    void aFinishedJobIsRemovedAfterItsTime() {
        cluster.pods().failNext(new PodFailure.Crash(1, List.of()));
        machine.start(SampleMachine.job(spec -> spec.setTtlSecondsAfterFinished(300)));
        machine.jobWhen("Failed");
        cluster.jobs().pace(3000);
        ClusterAwait.until("the Job is gone", () -> machine.findJob().isEmpty());
        assertTrue(machine.findPod().isEmpty());
        assertTrue(cluster.client().secrets().list().getItems().isEmpty());
    }

    @Test
    void aSuspendedJobHasNoPodUntilItIsAdmitted() {
        machine.start(SampleMachine.job(spec -> spec.setSuspend(true)));
        machine.jobWhen("Suspended");
        assertEquals(0, cluster.made("pods"));
        cluster.client()
                .batch()
                .v1()
                .jobs()
                .withName(SampleMachine.NAME)
                .edit(job -> new JobBuilder(job)
                        .editSpec()
                        .withSuspend(false)
                        .endSpec()
                        .build());
        machine.ready();
        assertEquals(
                "False", condition(machine.findJob().orElseThrow(), "Suspended").getStatus());
        assertEquals(List.of("Suspended", "Resumed", "SuccessfulCreate"), reasons("Job"));
    }

    @Test
    void aQuotaKeepsThePodAway() {
        cluster.jobs().refusePods("exceeded quota: gpus, requested: requests.nvidia.com/gpu=1");
        machine.start();
        Event event = failedCreate();
        assertTrue(
                event.getMessage().matches("Error creating: pods \"machine-1-.....\" is forbidden: exceeded quota: .*"),
                event.getMessage());
        cluster.jobs().allowPods();
        machine.ready();
    }

    @Test
    void podSecurityKeepsThePodAway() {
        machine.start(SampleMachine.job(
                spec -> spec.getTemplate().getSpec().getSecurityContext().setRunAsNonRoot(false)));
        assertTrue(
                failedCreate()
                        .getMessage()
                        .endsWith(
                                "is forbidden: violates PodSecurity \"restricted:latest\": runAsNonRoot != true (pod or"
                                        + " container \"machine\" must set securityContext.runAsNonRoot=true)"),
                failedCreate().getMessage());
        assertEquals(0, cluster.made("pods"));
    }

    private Event failedCreate() {
        return ClusterAwait.present(
                "an event tells of it",
                () -> cluster.client().v1().events().list().getItems().stream()
                        .filter(event -> event.getReason().equals("FailedCreate"))
                        .findFirst());
    }

    private List<String> reasons(String kind) {
        return cluster
                .client()
                .v1()
                .events()
                .withInvolvedObject(new ObjectReferenceBuilder().withKind(kind).build())
                .list()
                .getItems()
                .stream()
                .map(Event::getReason)
                .toList();
    }

    private static JobCondition condition(Job job, String type) {
        return job.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }
}
