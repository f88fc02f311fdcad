package dev.outpost.system.k8s.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.MachineLossPolicy;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.k8s.KubernetesProvider;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.simulated.kubernetes.ClusterAwait;
import dev.outpost.simulated.kubernetes.TestCluster;
import dev.outpost.simulated.kubernetes.api.Verb;
import dev.outpost.system.HeldProvider;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A cluster whose machines wait before each of their steps until the test lets them continue. */
final class SteppedCluster implements AutoCloseable {
    private static final int WATCHES_OF_A_MACHINE = 2;
    private static final Set<String> ENDS = Set.of("Complete", "Failed");

    /** More than the time after which a Job is removed automatically. */
    private static final Duration TIME_OF_A_JOB = Duration.ofDays(2);

    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    final TestCluster cluster = TestCluster.start();
    final HeldRunner runner = new HeldRunner();
    final HeldProvider provider;
    private final KubernetesProvider kubernetes;

    /** @param lease the time for which machines live without a client */
    SteppedCluster(Duration lease) {
        Config config = cluster.config();
        cluster.runWith(runner);
        kubernetes = ImpatientProvider.at(
                config.getMasterUrl(), config.getOauthToken(), cluster.namespace(), settings(lease));
        provider = new HeldProvider(kubernetes);
    }

    Map<String, String> settings(Duration lease) {
        Map<String, String> settings = new HashMap<>(cluster.options());
        settings.put("endpoint", "pod-ip");
        settings.put("lease", lease.toString());
        return settings;
    }

    RemoteMachine machine(MachineLossPolicy policy) {
        return RemoteMachine.of(
                provider, "A100", new MachineOptions().onLoss(policy).progress(step -> {}));
    }

    void release() {
        runner.release();
        provider.release();
    }

    // ---- the step of a machine

    String id() {
        return objects(Job.class).getFirst().getMetadata().getName();
    }

    void awaitRunning() {
        ClusterAwait.until("a container runs", () -> cluster.runningContainers() == 1);
    }

    void awaitWatched() {
        ClusterAwait.until("the machine is watched", () -> cluster.openWatches() == WATCHES_OF_A_MACHINE);
    }

    /** Waits until the client has polled again. */
    void awaitLook() {
        long before = looks();
        ClusterAwait.until("the client looks", () -> looks() > before);
    }

    private long looks() {
        return cluster.requests().of(Verb.LIST, "pods");
    }

    // ---- cleanup

    void awaitNothingRuns() {
        ClusterAwait.until("no container runs", () -> cluster.runningContainers() == 0);
    }

    /** An ended Job is removed automatically, some time after the cluster has noticed its end. */
    void letTimePass() {
        ClusterAwait.until(
                "the Jobs have ended", () -> objects(Job.class).stream().allMatch(SteppedCluster::hasEnded));
        cluster.jobs().advance(TIME_OF_A_JOB);
    }

    private static boolean hasEnded(Job job) {
        return job.getStatus().getConditions().stream()
                .anyMatch(condition -> ENDS.contains(condition.getType())
                        && condition.getStatus().equals("True"));
    }

    /** Removes ended machines, as the next start of any client does. */
    void sweep() {
        kubernetes.keeper().orElseThrow().sweep().await().atMost(TIMEOUT);
    }

    /** @param jobs the number of Jobs that were to be made in all */
    void assertNothingLeft(int jobs) {
        awaitNothingRuns();
        List.of(Job.class, Pod.class, Secret.class, Service.class).forEach(this::awaitNone);
        ClusterAwait.until("no watch is open", () -> cluster.openWatches() == 0);
        assertEquals(jobs, cluster.made("jobs"), "Jobs that were made");
    }

    private void awaitNone(Class<? extends HasMetadata> type) {
        ClusterAwait.until(
                "there is no " + type.getSimpleName() + " left",
                () -> objects(type).isEmpty());
    }

    private <T extends HasMetadata> List<T> objects(Class<T> type) {
        return cluster.client()
                .resources(type)
                .inNamespace(cluster.namespace())
                .withLabels(MachineLabels.ofAll())
                .list()
                .getItems();
    }

    @Override
    public void close() {
        release();
        cluster.close();
    }
}
