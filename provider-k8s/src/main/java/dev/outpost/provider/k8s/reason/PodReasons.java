package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.facts.PodFacts;
import dev.outpost.provider.k8s.reason.symptom.EndSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;

/** Derives the state of a machine from the observed objects. */
public final class PodReasons {
    /** A reason that may apply. */
    @FunctionalInterface
    private interface Rule {
        Optional<Finding> apply(ObservedMachine observed);
    }

    /**
     * The rules that take precedence over a running container, the most informative first. The runtime's own decision comes before the
     * later actions of the cluster. The cluster's actions come before the exit code that they caused.
     */
    private static final List<Rule> BEFORE_RUNNING = List.of(
            EndReasons::deadline,
            TerminationMessage::decided,
            Disruptions::byTheNode,
            Disruptions::announced,
            Disruptions::preempted,
            NodeReasons::refused,
            EndReasons::outOfMemory,
            StartReasons::startError,
            ProbeReasons::failed,
            PodReasons::deletedAfterItRan,
            TerminationMessage::drained,
            EndReasons::exited,
            EndReasons::podFailed,
            NodeReasons::silent);

    /** The rules for a container that does not run, from the end of a start to its beginning. */
    private static final List<Rule> AFTER_RUNNING = List.of(
            QueueReasons::suspended,
            EndReasons::deleted,
            ImageReasons::failed,
            StartReasons::waiting,
            ImageReasons::pulling,
            NodeReasons::preparing,
            NodeReasons::starting,
            SchedulingReasons::gated,
            SchedulingReasons::autoscaler,
            SchedulingReasons::scheduler,
            SchedulingReasons::claimNotCreated,
            SchedulingReasons::notLookedAt,
            QueueReasons::failedWithoutPod,
            AdmissionReasons::notCreated,
            QueueReasons::asked);

    private PodReasons() {}

    /** Returns the state of the machine. */
    public static PodState of(ObservedMachine observed) {
        return finding(observed)
                .map(Finding::state)
                .orElseGet(() -> running(observed.pod().orElseThrow()));
    }

    /** Returns the cause of the machine's end, or of a start that will not succeed, as {@link #of} reports it. */
    public static EndCause endCause(ObservedMachine observed) {
        return finding(observed)
                .map(Finding::symptom)
                .filter(EndSymptom.class::isInstance)
                .map(EndSymptom.class::cast)
                .map(EndSymptom::cause)
                .orElse(EndCause.FAILED);
    }

    /** Returns a text about a running container that is not ready yet. */
    public static String starting(ObservedMachine observed) {
        return "starting the runtime"
                + ProbeReasons.failing(observed).map(why -> "; " + why).orElse("");
    }

    /**
     * Returns the loss of a machine whose pod no longer exists.
     *
     * @param last the last observation of the machine
     */
    public static MachineLoss gone(ObservedMachine last) {
        return finding(last)
                .flatMap(Finding::loss)
                .orElseGet(() -> MachineLoss.failed(EndReasons.taken(last).sentence()));
    }

    /** Returns the finding; empty if the container runs without a problem. */
    static Optional<Finding> finding(ObservedMachine observed) {
        Optional<Finding> first = first(BEFORE_RUNNING, observed);
        boolean runs =
                observed.pod().map(PodFacts::new).filter(PodFacts::isRunning).isPresent();
        return first.isPresent() || runs ? first : first(AFTER_RUNNING, observed);
    }

    private static Optional<Finding> first(List<Rule> rules, ObservedMachine observed) {
        return rules.stream().flatMap(rule -> rule.apply(observed).stream()).findFirst();
    }

    /**
     * Returns a finding if the pod was deleted after it had run. A pod that was deleted before it ran does not count, because the machine
     * may wait for quota again.
     */
    private static Optional<Finding> deletedAfterItRan(ObservedMachine observed) {
        return observed.pod().map(PodFacts::new).filter(PodFacts::hasRun).flatMap(pod -> EndReasons.deleted(observed));
    }

    private static PodState running(Pod pod) {
        PodFacts facts = new PodFacts(pod);
        return new PodState.Running(facts.podIp(), facts.nodeName(), facts.isReady());
    }
}
