package dev.outpost.system.k8s.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.simulated.kubernetes.ClusterAwait;
import dev.outpost.simulated.kubernetes.api.ApiFaults;
import dev.outpost.simulated.kubernetes.api.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that is killed at any step of its machine's life leaves no machine that runs for longer than a lease. */
class KilledClientTest {
    /** Longer than the time of another process from a ready machine to its first heartbeat. */
    private static final Duration LEASE = Duration.ofSeconds(4);

    private static final Duration AGE_OF_WHAT_IS_SWEPT = Duration.ofMinutes(6);

    @Test
    void betweenTheJobAndItsKey() throws Exception {
        assertNothingIsLeft(MachineStep.AFTER_CREATE);
    }

    @Test
    void midSegment() throws Exception {
        assertNothingIsLeft(MachineStep.MID_SEGMENT);
    }

    /** The other cases, each of which needs the start of a JVM. */
    @Tag("full")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"AFTER_CREATE", "MID_SEGMENT"})
    void at(MachineStep step) throws Exception {
        assertNothingIsLeft(step);
    }

    private static void assertNothingIsLeft(MachineStep step) throws Exception {
        dev.outpost.support.tests.Await.withEnoughTime(LEASE, lease -> assertNothingIsLeft(step, lease));
    }

    private static void assertNothingIsLeft(MachineStep step, Duration lease) throws InterruptedException {
        FaultCase expected = expected(step);
        try (SteppedCluster steppedCluster = new SteppedCluster(lease)) {
            if (expected.outcome() == Outcome.SWEPT) {
                steppedCluster.cluster.faults().skewClock(AGE_OF_WHAT_IS_SWEPT.negated());
            }
            killAt(step, steppedCluster, lease);
            ClusterAwait.until(
                    "the Job is there",
                    () -> steppedCluster.cluster.made("jobs")
                            == expected.outcome().jobs());
            steppedCluster.awaitNothingRuns();
            if (expected.outcome() == Outcome.SWEPT) {
                assertEquals(0, steppedCluster.cluster.made("pods"), "pods");
                // Ages use the cluster's clock.
                steppedCluster.cluster.faults().skewClock(Duration.ZERO);
                steppedCluster.sweep();
            } else {
                steppedCluster.letTimePass();
            }
            steppedCluster.assertNothingLeft(expected.outcome().jobs());
        }
    }

    private static FaultCase expected(MachineStep step) {
        return FaultMatrix.cells().stream()
                .filter(faultCase -> faultCase.step() == step && faultCase.disturbance() == Disturbance.CLIENT_KILLED)
                .findFirst()
                .orElseThrow();
    }

    private static void killAt(MachineStep step, SteppedCluster steppedCluster, Duration lease)
            throws InterruptedException {
        if (step != MachineStep.BEFORE_READY) {
            steppedCluster.runner.release();
        }
        CompletableFuture<Void> isKilled = new CompletableFuture<>();
        ApiFaults.Injected request = steppedCluster.cluster.faults().inject(held(step, isKilled));
        try (ClientJvm client = DoomedClient.start(steppedCluster, step, lease)) {
            switch (step) {
                case BEFORE_CREATE, AFTER_CREATE, DURING_DELETE ->
                    ClusterAwait.until("the request comes", () -> request.met() > 0);
                case BEFORE_READY -> {
                    steppedCluster.awaitRunning();
                    steppedCluster.awaitWatched();
                }
                case FIRST_SESSION, MID_SEGMENT -> client.awaitThere();
            }
            client.kill();
        }
        isKilled.complete(null);
        request.clear();
    }

    /** A Job that is being created is still created; no other request of the client arrives any more. */
    private static Fault held(MachineStep step, CompletionStage<?> isKilled) {
        return switch (step) {
            case BEFORE_CREATE -> Fault.heldUntil(isKilled).on(step.verb(), step.resource());
            case AFTER_CREATE, DURING_DELETE ->
                Fault.hangUp().on(step.verb(), step.resource()).always();
            case BEFORE_READY, FIRST_SESSION, MID_SEGMENT ->
                Fault.heldUntil(isKilled).times(0);
        };
    }
}
