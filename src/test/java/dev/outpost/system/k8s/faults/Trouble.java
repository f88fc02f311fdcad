package dev.outpost.system.k8s.faults;

import dev.outpost.simulated.kubernetes.ClusterAwait;
import dev.outpost.simulated.kubernetes.api.ApiFaults;
import dev.outpost.simulated.kubernetes.api.Fault;
import dev.outpost.simulated.kubernetes.api.Verb;
import dev.outpost.simulated.kubernetes.node.PodFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Causes and ends a disturbance. */
final class Trouble {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int BROKEN_WATCHES = 2;

    private final FaultCase faultCase;
    private final SteppedCluster steppedCluster;
    private final ApiFaults faults;
    private final CompletableFuture<Void> isOver = new CompletableFuture<>();

    Trouble(FaultCase faultCase, SteppedCluster steppedCluster) {
        this.faultCase = faultCase;
        this.steppedCluster = steppedCluster;
        this.faults = steppedCluster.cluster.faults();
    }

    // ---- at a request

    /** The fault for the step's request: a refusal, or a delay until the disturbance has come. */
    ApiFaults.Injected expect() {
        Fault late = Fault.heldUntil(isOver)
                .on(faultCase.step().verb(), faultCase.step().resource());
        return faults.inject(faultCase.disturbance().answer(faultCase.step()).orElse(late));
    }

    /** Causes the disturbance while the request is in progress. */
    void comeWith(ApiFaults.Injected request) {
        ClusterAwait.until("the request comes", () -> request.met() > 0);
        if (!isAnswer()) {
            come();
            isOver.complete(null);
        }
    }

    /** Waits until the request is repeated, or continues. */
    void goWith(ApiFaults.Injected request) {
        if (isAnswer()) {
            ClusterAwait.until("the request comes again", () -> request.met() > 1);
        } else {
            go();
        }
    }

    private boolean isAnswer() {
        return faultCase.disturbance().answer(faultCase.step()).isPresent();
    }

    // ---- now

    void come() {
        switch (faultCase.disturbance()) {
            case SERVER_AWAY -> goAway();
            case WATCHES_CLOSED -> endWatches(Fault.hangUp(), faults::closeWatches);
            case HISTORY_EXPIRED -> endWatches(Fault.expired(), faults::expireWatches);
            case CONFLICT, THROTTLED, SERVER_ERROR -> refuseLooks();
            case POD_DELETED -> failPod(new PodFailure.Deleted());
            case POD_KILLED -> failPod(new PodFailure.Killed());
            case CLOCK_AHEAD -> faults.skewClock(MINUTE);
            case CLOCK_BEHIND -> faults.skewClock(MINUTE.negated());
            case CLIENT_KILLED -> throw new AssertionError("this client is not to be killed");
        }
    }

    void go() {
        if (faultCase.disturbance() == Disturbance.SERVER_AWAY) {
            faults.comeBack();
        }
    }

    private void goAway() {
        int told = steppedCluster.provider.steps().size();
        faults.goAway();
        ClusterAwait.until("all watches are closed", () -> steppedCluster.cluster.openWatches() == 0);
        if (faultCase.step().compareTo(MachineStep.BEFORE_READY) <= 0) {
            ClusterAwait.until(
                    "the start tells of it",
                    () -> steppedCluster.provider.steps().size() > told);
        }
    }

    private void endWatches(Fault first, Runnable present) {
        if (steppedCluster.cluster.openWatches() == 0) {
            faults.inject(first.on(request -> request.verb() == Verb.WATCH).times(BROKEN_WATCHES));
        } else {
            present.run();
        }
    }

    /** Watches that end make the client look. */
    private void refuseLooks() {
        ApiFaults.Injected refusal =
                faults.inject(faultCase.disturbance().answer(faultCase.step()).orElseThrow());
        faults.closeWatches();
        ClusterAwait.until("it has looked in vain", () -> refusal.met() > 1);
    }

    private void failPod(PodFailure.Running failure) {
        steppedCluster.awaitRunning();
        steppedCluster.cluster.pods().fail(steppedCluster.id(), failure);
        steppedCluster.awaitNothingRuns();
    }
}
