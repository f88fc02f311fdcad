package dev.outpost.system.k8s.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.simulated.kubernetes.ClusterAwait;
import dev.outpost.simulated.kubernetes.api.ApiFaults;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;

/** Brings a machine to its step, causes the disturbance, and checks the outcome. */
final class FaultTrial {
    private final FaultCase faultCase;
    private final SteppedCluster steppedCluster;
    private final Trouble trouble;

    FaultTrial(FaultCase faultCase, SteppedCluster steppedCluster) {
        this.faultCase = faultCase;
        this.steppedCluster = steppedCluster;
        this.trouble = new Trouble(faultCase, steppedCluster);
    }

    void run() throws InterruptedException {
        switch (faultCase.step()) {
            case BEFORE_CREATE, AFTER_CREATE -> whileRequested();
            case BEFORE_READY -> beforeReady();
            case FIRST_SESSION -> firstSession();
            case MID_SEGMENT -> midSegment();
            case DURING_DELETE -> duringDelete();
        }
        steppedCluster.assertNothingLeft(faultCase.outcome().jobs());
    }

    // ---- steps

    private void whileRequested() {
        ApiFaults.Injected request = trouble.expect();
        try (RemoteMachine machine = steppedCluster.machine(faultCase.policy())) {
            trouble.comeWith(request);
            steppedCluster.release();
            trouble.goWith(request);
            assertOutcome(machine);
        }
    }

    private void beforeReady() {
        try (RemoteMachine machine = steppedCluster.machine(faultCase.policy())) {
            steppedCluster.awaitRunning();
            steppedCluster.awaitWatched();
            trouble.come();
            steppedCluster.release();
            trouble.go();
            assertOutcome(machine);
        }
    }

    private void firstSession() {
        steppedCluster.runner.release();
        try (RemoteMachine machine = steppedCluster.machine(faultCase.policy())) {
            ClusterAwait.until(
                    "the machine is ready",
                    () -> !steppedCluster.provider.leases().isEmpty());
            trouble.come();
            steppedCluster.release();
            if (faultCase.outcome() == Outcome.USABLE) {
                machine.awaitReady();
            }
            trouble.go();
            assertOutcome(machine);
        }
    }

    private void midSegment() throws InterruptedException {
        steppedCluster.release();
        try (RemoteMachine machine = steppedCluster.machine(faultCase.policy())) {
            CountingProgram work = CountingProgram.on(machine);
            trouble.come();
            if (faultCase.outcome() == Outcome.USABLE) {
                work.awaitProgress();
                trouble.go();
                work.awaitProgress();
                work.stop();
                assertOutcome(machine);
            } else {
                assertLost(work.awaitFailure());
                assertNext(machine);
            }
        }
    }

    private void duringDelete() throws InterruptedException {
        steppedCluster.release();
        RemoteMachine machine = steppedCluster.machine(faultCase.policy());
        assertComputes(machine);
        ApiFaults.Injected request = trouble.expect();
        Thread closing = Thread.startVirtualThread(machine::close);
        trouble.comeWith(request);
        trouble.goWith(request);
        closing.join();
    }

    // ---- outcomes

    private void assertOutcome(RemoteMachine machine) {
        switch (faultCase.outcome()) {
            case USABLE -> assertUsable(machine);
            case FAILED_START -> assertFailed(machine);
            case LOST, SUCCESSOR -> {
                assertLost(assertThrows(MachineLostException.class, () -> compute(machine)));
                assertNext(machine);
            }
            case CLOSED, NOTHING_LEFT, SWEPT, NOT_APPLICABLE ->
                throw new AssertionError("not decided here: " + faultCase);
        }
    }

    /** Checks that the machine computes and is watched again. */
    private void assertUsable(RemoteMachine machine) {
        assertComputes(machine);
        steppedCluster.awaitWatched();
    }

    private void assertFailed(RemoteMachine machine) {
        OutpostException failure = assertThrows(OutpostException.class, () -> compute(machine));
        assertTrue(
                PlainNames.in(failure.getMessage()).startsWith("k8s-A100: the machine did not start: "),
                failure::getMessage);
        assertTrue(failure.getMessage().contains(faultCase.note()), failure::getMessage);
    }

    private void assertLost(Throwable failure) {
        assertEquals(MachineLostException.class, failure.getClass(), failure::toString);
        assertTrue(
                PlainNames.in(failure.getMessage()).startsWith("k8s-A100: the machine is lost: "), failure::getMessage);
        assertTrue(failure.getMessage().contains(faultCase.note()), failure::getMessage);
    }

    /** Checks new tensors after a machine was lost. */
    private void assertNext(RemoteMachine machine) {
        if (faultCase.outcome() == Outcome.SUCCESSOR) {
            assertComputes(machine);
        } else {
            assertLost(assertThrows(MachineLostException.class, () -> machine.ones(1)));
        }
    }

    private static void assertComputes(RemoteMachine machine) {
        assertEquals(6.0, compute(machine));
    }

    private static double compute(RemoteMachine machine) {
        return machine.ones(2, 3).sum().itemDouble();
    }
}
