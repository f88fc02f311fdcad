package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.task.Span;
import dev.outpost.simulated.kubernetes.api.Fault;
import dev.outpost.simulated.kubernetes.api.Verb;
import dev.outpost.simulated.kubernetes.node.PodFailure;
import dev.outpost.support.tests.Await;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A machine that does not start reports the reason and the remedy, and leaves nothing behind. */
class StartFailuresTest {
    private final Provided provided = Provided.quick();

    @AfterEach
    void close() {
        provided.awaitNothingLeft();
        provided.close();
    }

    private void assertRefused(String opening, String remedy, String... options) {
        String refusal = provided.refusal(options);
        assertTrue(refusal.startsWith(opening), refusal);
        assertTrue(refusal.contains(remedy), refusal);
    }

    // ---- refused for good

    @Test
    void theImageHasNoReadableName() {
        provided.cluster.pods().failNext(new PodFailure.InvalidImage());
        assertRefused("not an image name: ", "outpost.k8s.image");
    }

    @Test
    void theRuntimeCrashes() {
        provided.cluster.pods().failNext(new PodFailure.Crash(3, List.of("no such device", "giving up")));
        String refusal = provided.refusal();
        assertTrue(refusal.contains("exit code 3"), refusal);
        assertTrue(refusal.contains("giving up"), refusal);
        // Its Job is deleted together with its log.
        assertFalse(refusal.contains("machines logs"), refusal);
    }

    @Test
    void theNodeHasNoDeviceLeft() {
        provided.cluster.pods().failNext(new PodFailure.AdmissionError("no healthy devices present"));
        String refusal = provided.refusal();
        assertTrue(refusal.contains("no healthy devices present"), refusal);
    }

    @Test
    void exceededQuotaIsNamed() {
        provided.cluster
                .faults()
                .inject(Fault.forbidden(
                                "jobs",
                                "exceeded quota: gpus, requested: count/jobs.batch=1, used: count/jobs.batch=4, limited:"
                                        + " count/jobs.batch=4")
                        .on(Verb.PATCH, "jobs"));
        assertRefused("the quota gpus of the namespace is used up", "count/jobs.batch=4");
    }

    @Test
    void aQuotaThatCanNeverHoldItIsNotWaitedFor() {
        provided.levers()
                .jobs()
                .refusePods(
                        "exceeded quota: gpus, requested: requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=0,"
                                + " limited: requests.nvidia.com/gpu=0");
        assertRefused("the quota gpus of the namespace can never hold the machine", "have the quota raised");
    }

    /** An API server that has just started has not read its roles yet. */
    @Test
    void aRefusalThatPassesIsNone() {
        var refusing = provided.cluster
                .faults()
                .inject(Fault.forbidden(
                                "jobs",
                                "User \"ada\" cannot patch resource \"jobs\" in API group \"batch\" in the namespace"
                                        + " \"outpost\"")
                        .on(Verb.PATCH, "jobs")
                        .times(3));
        provided.release(provided.lease());
        assertEquals(3, refusing.met());
    }

    @Test
    void missingPermissionIsNamed() {
        provided.levers().deny(Verb.PATCH, "secrets");
        assertRefused("forbidden: ", "secrets");
    }

    @Test
    void withoutTheRightToListThereIsNoMachine() {
        provided.cluster
                .faults()
                .inject(Fault.forbidden(
                                "pods",
                                "User \"ada\" cannot list resource \"pods\" in API group \"\" in the namespace \"outpost\"")
                        .on(Verb.LIST, "pods")
                        .always());
        assertRefused("forbidden: ada may not list pods in the namespace outpost", "deploy/base");
    }

    @Test
    void theNamespaceIsMissing() {
        assertRefused("no such namespace: elsewhere", "outpost.k8s.namespace", "namespace", "elsewhere");
    }

    @Test
    void credentialsThatAreNotAccepted() {
        provided.cluster.faults().inject(Fault.unauthorized().always());
        assertRefused("the API server does not accept the credentials", "log in again");
        provided.cluster.faults().rotateToken();
    }

    @Test
    void deletedJobIsNamed() throws InterruptedException {
        provided.cluster.pods().failNext(new PodFailure.Hang("FailedMount", "a volume is missing"));
        Thread deleting = Thread.startVirtualThread(() -> {
            Await.until("there is a Job", () -> !provided.objects(Job.class).isEmpty());
            provided.cluster
                    .client()
                    .batch()
                    .v1()
                    .jobs()
                    .inNamespace(provided.cluster.namespace())
                    .delete();
        });
        assertRefused("the Job was deleted", "");
        deleting.join();
    }

    // ---- not within its time

    @Test
    void unsatisfiableNodeSelectorIsNamed() throws Exception {
        Await.withEnoughTime(Provided.TIMINGS.hopeless(), this::nameANodeSelector);
    }

    private void nameANodeSelector(Duration time) {
        String refusal = provided.refusal("start-timeout", time.toString(), "node-selector", "zone=nowhere");
        assertTrue(
                refusal.matches(
                        "not ready within \\d+ m?s \\(outpost.k8s.start-timeout\\); it is still waiting for a node: .*"),
                refusal);
        assertEquals(MachinePhase.SCHEDULING, provided.steps.getLast().phase());
    }

    @Test
    void failedImagePullIsNamed() throws Exception {
        Await.withEnoughTime(Duration.ofSeconds(2), this::nameAnImagePull);
    }

    private void nameAnImagePull(Duration time) {
        provided.cluster.pods().failNext(new PodFailure.ImagePull("manifest unknown"));
        String refusal = provided.refusal("start-timeout", time.toString());
        assertTrue(refusal.contains("manifest unknown") || refusal.contains("image"), refusal);
    }

    @Test
    void aVolumeIsMissing() throws Exception {
        Await.withEnoughTime(Duration.ofSeconds(1), this::nameAVolume);
    }

    private void nameAVolume(Duration time) {
        provided.cluster.pods().failNext(new PodFailure.Hang("FailedMount", "secret \"weights\" not found"));
        String refusal = provided.refusal("start-timeout", time.toString());
        assertTrue(refusal.contains("it is still being prepared on its node: "), refusal);
        assertTrue(refusal.contains("weights"), refusal);
    }

    @Test
    void theApiServerStaysAway() {
        provided.cluster.faults().goAway();
        String refusal = provided.refusal("start-timeout", "300ms");
        assertTrue(
                refusal.startsWith("not ready within 300 ms (outpost.k8s.start-timeout); it is still waiting to be"
                        + " admitted: "),
                refusal);
        provided.cluster.faults().comeBack();
    }

    @Test
    void noAddressComes() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(200), this::waitForAnAddress);
    }

    private void waitForAnAddress(Duration time) throws InterruptedException {
        provided.cluster.pods().slowPulls(time);
        Thread deleting = Thread.startVirtualThread(() -> {
            provided.await(
                    "there is a Service", () -> !provided.objects(Service.class).isEmpty());
            provided.cluster
                    .client()
                    .resource(provided.objects(Service.class).getFirst())
                    .delete();
        });
        String refusal = provided.refusal("endpoint", "service", "connect-timeout", time.toString());
        deleting.join();
        assertEquals(
                "the machine is ready, but its service " + id(refusal)
                        + " got no address within " + Span.text(time)
                        + " (outpost.k8s.connect-timeout). Allow it more time, or choose"
                        + " another outpost.k8s.endpoint.",
                refusal);
    }

    private static String id(String refusal) {
        return refusal.replaceFirst(".*(outpost-a100-\\w+).*", "$1");
    }

    @Test
    void aFailureIsAClusterException() {
        provided.levers().deny(Verb.PATCH, "jobs");
        var failure = assertThrows(ClusterException.class, () -> provided.lease());
        assertTrue(failure.getMessage().startsWith("forbidden: "), failure::getMessage);
    }
}
