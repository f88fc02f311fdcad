package dev.outpost.provider.k8s.reason.facts;

import dev.outpost.provider.k8s.devices.ClaimReport;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The objects besides a machine's Job and pod that explain why it does not run.
 *
 * @param events the events of the Job and of the pod; events of other objects are ignored
 * @param workload Kueue's Workload of the Job, if it exists and may be read
 * @param queuePosition the number of workloads ahead of it in its queue, if known
 * @param lacking the number of nodes that would accept its pod but offer no such GPU; 0 if unknown
 * @param claims the report on the pod's claims until it is ready, if it has some and they may be read
 * @param logTail the last lines of the container's log; empty if it was not read
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

    public Diagnostics {
        events = List.copyOf(events);
    }
}
