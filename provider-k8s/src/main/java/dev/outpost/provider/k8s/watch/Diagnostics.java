package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.k8s.devices.ClaimReport;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The objects besides a machine's Job and pod that explain why it does not run.
 *
 * @param workload Kueue's Workload of the Job
 * @param queuePosition the number of workloads ahead of it in its queue
 * @param lacking the number of nodes that would accept its pod but offer no such GPU; 0 if unknown
 * @param claims the report on the pod's claims, until it is ready
 * @param logTail the end of its log
 */
public record Diagnostics(
        List<Event> events,
        Optional<GenericKubernetesResource> workload,
        OptionalInt queuePosition,
        int lacking,
        Optional<ClaimReport> claims,
        String logTail) {
    /** Nothing was read yet. */
    public static final Diagnostics NONE =
            new Diagnostics(List.of(), Optional.empty(), OptionalInt.empty(), 0, Optional.empty(), "");

    public ObservedMachine of(ObservedMachine observed) {
        return new ObservedMachine(
                observed.job(),
                observed.pod(),
                events,
                workload,
                queuePosition,
                lacking,
                claims,
                logTail,
                observed.now());
    }
}
