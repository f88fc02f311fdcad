package dev.outpost.provider.k8s.machine;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The times of a Job: its creation, deadline and end. */
public record JobLifecycle(Job job) {
    private static final Set<String> FINAL = Set.of("Complete", "Failed");

    /** Returns the time of its end, by the cluster's clock; empty while it may still run. */
    public Optional<Instant> ended() {
        return conditions().stream()
                .filter(condition -> FINAL.contains(condition.getType()) && "True".equals(condition.getStatus()))
                .map(condition -> Instant.parse(condition.getLastTransitionTime()))
                .findFirst();
    }

    /** Returns the latest time of its end; empty before it runs, or if it has no deadline. */
    public Optional<Instant> deadline() {
        return Optional.ofNullable(job.getStatus())
                .map(status -> status.getStartTime())
                .flatMap(start -> Optional.ofNullable(job.getSpec().getActiveDeadlineSeconds())
                        .map(Duration::ofSeconds)
                        .map(Instant.parse(start)::plus));
    }

    public Instant created() {
        return Instant.parse(job.getMetadata().getCreationTimestamp());
    }

    private List<JobCondition> conditions() {
        return job.getStatus() == null || job.getStatus().getConditions() == null
                ? List.of()
                : job.getStatus().getConditions();
    }
}
