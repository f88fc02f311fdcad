package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.simulated.kubernetes.api.Verb;
import dev.outpost.simulated.kubernetes.node.PodFailure;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A lost machine is reported with the reason; a machine that is only unreachable is not reported. */
@Tag("real-cluster")
class PodLossTest {
    private final Provided provided = Provided.quick();

    @AfterEach
    void close() {
        provided.close();
    }

    static Stream<Arguments> ends() {
        return Stream.of(
                Arguments.of(new PodFailure.Crash(3, List.of("out of luck")), "out of luck"),
                Arguments.of(
                        new PodFailure.OutOfMemory(),
                        "the machine was killed (OOMKilled): it took more memory than its limit of "),
                Arguments.of(
                        new PodFailure.Evicted("The node was low on resource: ephemeral-storage."),
                        "ephemeral-storage"),
                Arguments.of(new PodFailure.Preempted(), "priority"),
                Arguments.of(new PodFailure.NodeLost(), "node"),
                Arguments.of(new PodFailure.Deleted(), "the pod was deleted"));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void endOfAPodIsExplained(PodFailure.Running end, String word) {
        Lease lease = provided.lease();
        provided.cluster.pods().fail(lease.id(), end);
        MachineLoss loss = provided.loss(lease);
        assertEquals(MachineLoss.Cause.FAILED, loss.cause());
        assertTrue(loss.reason().contains(word), loss::reason);
        provided.release(lease);
        provided.awaitNothingLeft();
    }

    @Test
    void aDeletedJobIsTold() {
        Lease lease = provided.lease();
        provided.cluster
                .client()
                .batch()
                .v1()
                .jobs()
                .inNamespace(provided.cluster.namespace())
                .withName(lease.id())
                .delete();
        assertTrue(provided.loss(lease).reason().startsWith("the Job was deleted"), provided.loss(lease)::reason);
        provided.release(lease);
    }

    @Test
    void aMachineThatNobodyUsesEndsAsAgreed() {
        Lease lease = provided.lease("idle-timeout", Provided.TIMINGS.idle().toString(), "lease", "60s");
        assertEquals(MachineLoss.Cause.IDLE, provided.loss(lease).cause());
        provided.release(lease);
        provided.awaitNothingLeft();
    }

    @Test
    void lossIsToldToALateObserver() {
        Lease lease = provided.lease();
        provided.cluster.pods().fail(lease.id(), new PodFailure.Killed());
        MachineLoss loss = provided.loss(lease);
        assertEquals(loss, provided.loss(lease));
        provided.release(lease);
    }

    // ---- no losses

    @Test
    void watchesThatEndAreNone() {
        Lease lease = provided.lease();
        List<MachineLoss> losses = losses(lease);
        for (int i = 0; i < 3; i++) {
            long lists = lists();
            provided.cluster.faults().closeWatches();
            provided.await("it looked again", () -> lists() > lists);
        }
        provided.cluster.faults().expireWatches();
        assertStillWatched(lease, losses);
    }

    @Test
    void silentWatchesAreOpenedAgain() {
        Lease lease = provided.lease("lease", "60s");
        long watches = watches();
        provided.cluster.faults().silenceWatches();
        changePod(lease.id());
        provided.await("a watch is opened in the place of the silent one", () -> watches() > watches);
        provided.await("the silent one is closed", () -> provided.levers().openWatches() == 2);
        provided.cluster.pods().fail(lease.id(), new PodFailure.Deleted());
        assertTrue(provided.loss(lease).reason().startsWith("the pod was deleted"), provided.loss(lease)::reason);
        provided.release(lease);
    }

    @Test
    void anApiServerThatIsAwayIsNone() {
        Lease lease = provided.lease("lease", "60s");
        List<MachineLoss> losses = losses(lease);
        provided.cluster.faults().goAway();
        provided.await("all watches are closed", () -> provided.levers().openWatches() == 0);
        provided.cluster.faults().comeBack();
        assertStillWatched(lease, losses);
    }

    @Test
    void clocksThatDifferAreNone() {
        Lease lease = provided.lease();
        List<MachineLoss> losses = losses(lease);
        provided.cluster.faults().skewClock(Duration.ofHours(1));
        assertStillWatched(lease, losses);
    }

    private void changePod(String machine) {
        provided.cluster
                .client()
                .pods()
                .inNamespace(provided.cluster.namespace())
                .withLabels(MachineLabels.of(machine))
                .resources()
                .forEach(pod -> pod.edit(seen -> new PodBuilder(seen)
                        .editMetadata()
                        .addToAnnotations("changed", "yes")
                        .endMetadata()
                        .build()));
    }

    private long watches() {
        return provided.cluster.requests().of(Verb.WATCH, "pods");
    }

    private long lists() {
        return provided.cluster.requests().of(Verb.LIST, "pods");
    }

    private static List<MachineLoss> losses(Lease lease) {
        List<MachineLoss> losses = new CopyOnWriteArrayList<>();
        lease.lost().subscribe().with(losses::add);
        return losses;
    }

    /** The machine was not lost, and its later loss is noticed. */
    private void assertStillWatched(Lease lease, List<MachineLoss> losses) {
        provided.await("it is watched again", () -> provided.levers().openWatches() == 2);
        assertEquals(List.of(), losses);
        provided.cluster.pods().fail(lease.id(), new PodFailure.Killed());
        assertFalse(provided.loss(lease).reason().isEmpty());
        provided.release(lease);
        provided.awaitNothingLeft();
    }
}
