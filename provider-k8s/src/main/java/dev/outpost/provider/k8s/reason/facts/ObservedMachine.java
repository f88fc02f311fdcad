package dev.outpost.provider.k8s.reason.facts;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The observation of a machine in the cluster.
 *
 * @param diagnostics the other objects that explain its state, as far as they were read
 * @param now the client's time, up to which waits are measured. Only texts depend on it, because the cluster's clock may differ
 */
public record ObservedMachine(Optional<Job> job, Optional<Pod> pod, Diagnostics diagnostics, Instant now) {

    public ObservedMachine {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(diagnostics, "diagnostics");
        Objects.requireNonNull(now, "now");
    }

    /**
     * Returns a machine without diagnostics.
     *
     * @param job the Job, or null as long as it was not seen
     * @param pod its pod, or null as long as there is none
     */
    public static ObservedMachine of(Job job, Pod pod, Instant now) {
        return new ObservedMachine(Optional.ofNullable(job), Optional.ofNullable(pod), Diagnostics.NONE, now);
    }

    public ObservedMachine with(Diagnostics read) {
        return new ObservedMachine(job, pod, read, now);
    }
}
