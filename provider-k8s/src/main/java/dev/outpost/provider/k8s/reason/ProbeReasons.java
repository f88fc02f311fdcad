package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.facts.EventLog;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.facts.PodFacts;
import dev.outpost.provider.k8s.reason.symptom.EndSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.text.LastLines;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Probe;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The probes that a container failed. If the kubelet kills a container for a failed probe, it says so in an event.
 * That event may be missing: the kubelet sends 25 events of a pod at once and then one in five minutes, and a probe
 * that fails each second exhausts this limit. In this case, the events of the failing probe are used instead. A
 * startup probe also fails during a normal start, so the container must have run at least as long as the probe
 * tolerates failures.
 */
final class ProbeReasons {
    private static final String STARTUP = "Startup probe failed: ";
    private static final String LIVENESS = "Liveness probe failed: ";

    /** The exit codes of the signals with which a kubelet ends a container. */
    private static final Set<Integer> CODES_OF_A_KILL = Set.of(137, 143);

    /**
     * The maximum time from a failure of the liveness probe to the container's end: a minute of failures, and the
     * grace period.
     */
    private static final Duration LIVENESS_TIME = Duration.ofSeconds(150);

    private ProbeReasons() {}

    /** Returns a finding if the kubelet killed the container because a probe failed. */
    static Optional<Finding> failed(ObservedMachine observed) {
        return observed.pod().map(PodFacts::new).flatMap(pod -> pod.ended().flatMap(end -> failed(observed, pod, end)));
    }

    private static Optional<Finding> failed(ObservedMachine observed, PodFacts pod, ContainerStateTerminated end) {
        EventLog events = EventLog.ofPod(observed);
        boolean isKilled = CODES_OF_A_KILL.contains(end.getExitCode()) && !pod.isDeleted();
        if (isKilling(events, "startup")
                || isKilled && !pod.wasReady() && last(events, STARTUP).isPresent() && hasUsedUp(pod, end)) {
            return Optional.of(EndSymptom.NEVER_ANSWERED.found(
                    "the machine was killed: its startup probe failed" + detail(events, STARTUP)
                            + LastLines.ending(observed.diagnostics().logTail())));
        }
        if (isKilling(events, "liveness") || isKilled && isJustBefore(last(events, LIVENESS), end)) {
            return Optional.of(EndSymptom.PROBE_FAILED.found(
                    "the machine was killed: its liveness probe failed" + detail(events, LIVENESS)
                            + LastLines.ending(observed.diagnostics().logTail())));
        }
        return Optional.empty();
    }

    /** Returns the reason why a running container is not ready yet, from the failures of its startup probe. */
    static Optional<String> failing(ObservedMachine observed) {
        return last(EventLog.ofPod(observed), STARTUP)
                .map(event -> "its startup probe fails: " + RefusalMessages.oneLine(text(event, STARTUP)));
    }

    private static boolean isKilling(EventLog events, String probe) {
        return events.latest(event -> "Killing".equals(event.getReason())
                        && EventLog.message(event).contains("failed " + probe + " probe"))
                .isPresent();
    }

    private static Optional<Event> last(EventLog events, String opening) {
        return events.latest(event ->
                "Unhealthy".equals(event.getReason()) && EventLog.message(event).startsWith(opening));
    }

    /** Returns true if the container ran as long as the startup probe tolerates failures. The kubelet's times are whole seconds. */
    private static boolean hasUsedUp(PodFacts pod, ContainerStateTerminated end) {
        if (end.getStartedAt() == null || end.getFinishedAt() == null) {
            return false;
        }
        Duration ran = Duration.between(Instant.parse(end.getStartedAt()), Instant.parse(end.getFinishedAt()));
        return pod.container()
                .map(container -> container.getStartupProbe())
                .filter(probe -> ran.plusSeconds(1).compareTo(mayFail(probe)) >= 0)
                .isPresent();
    }

    /**
     * Returns the time from the first failure to the last tolerated one. The first probe runs at once. Missing settings have Kubernetes'
     * defaults.
     */
    private static Duration mayFail(Probe probe) {
        int period = Objects.requireNonNullElse(probe.getPeriodSeconds(), 10);
        int failures = Objects.requireNonNullElse(probe.getFailureThreshold(), 3);
        return Duration.ofSeconds((long) period * (failures - 1));
    }

    private static boolean isJustBefore(Optional<Event> failure, ContainerStateTerminated end) {
        return end.getFinishedAt() != null
                && failure.map(EventLog::time)
                        .filter(time -> time.plus(LIVENESS_TIME).isAfter(Instant.parse(end.getFinishedAt())))
                        .isPresent();
    }

    private static String detail(EventLog events, String opening) {
        return last(events, opening)
                .map(event -> ": " + RefusalMessages.oneLine(text(event, opening)))
                .orElse("");
    }

    private static String text(Event event, String opening) {
        return EventLog.message(event).substring(opening.length());
    }
}
