package dev.outpost.provider.k8s.reason.facts;

import dev.outpost.provider.k8s.devices.ClaimReport;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The observation of a machine in the cluster.
 *
 * @param events the events of the Job and of the pod; events of other objects are ignored
 * @param workload Kueue's Workload of the Job, if it exists and may be read
 * @param queuePosition the number of workloads ahead of it in its Kueue queue, if known
 * @param lacking the number of nodes that would accept its pod but offer no such GPU; 0 if unknown
 * @param claims the report on the pod's claims, if it has some and they may be read
 * @param logTail the last lines of the container's log; empty if it was not read
 * @param now the client's time, up to which waits are measured. Only texts depend on it, because the cluster's clock may differ
 */
public record ObservedMachine(
        Optional<Job> job,
        Optional<Pod> pod,
        List<Event> events,
        Optional<GenericKubernetesResource> workload,
        OptionalInt queuePosition,
        int lacking,
        Optional<ClaimReport> claims,
        String logTail,
        Instant now) {

    public ObservedMachine {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(pod, "pod");
        events = List.copyOf(events);
        Objects.requireNonNull(workload, "workload");
        Objects.requireNonNull(queuePosition, "queuePosition");
        Objects.requireNonNull(claims, "claims");
        Objects.requireNonNull(logTail, "logTail");
        Objects.requireNonNull(now, "now");
    }

    /**
     * Returns a machine without a place in a queue and without a log.
     *
     * @param job the Job, or null as long as it was not seen
     * @param pod its pod, or null as long as there is none
     */
    public static ObservedMachine of(Job job, Pod pod, List<Event> events, Instant now) {
        return new ObservedMachine(
                Optional.ofNullable(job),
                Optional.ofNullable(pod),
                events,
                Optional.empty(),
                OptionalInt.empty(),
                0,
                Optional.empty(),
                "",
                now);
    }

    public ObservedMachine withWorkload(GenericKubernetesResource read) {
        return new ObservedMachine(job, pod, events, Optional.of(read), queuePosition, lacking, claims, logTail, now);
    }

    public ObservedMachine withQueuePosition(int ahead) {
        return new ObservedMachine(job, pod, events, workload, OptionalInt.of(ahead), lacking, claims, logTail, now);
    }

    public ObservedMachine withClaims(ClaimReport read) {
        return new ObservedMachine(job, pod, events, workload, queuePosition, lacking, Optional.of(read), logTail, now);
    }

    public ObservedMachine withLogTail(String lines) {
        return new ObservedMachine(job, pod, events, workload, queuePosition, lacking, claims, lines, now);
    }

    public ObservedMachine withLacking(int nodes) {
        return new ObservedMachine(job, pod, events, workload, queuePosition, nodes, claims, logTail, now);
    }
}
