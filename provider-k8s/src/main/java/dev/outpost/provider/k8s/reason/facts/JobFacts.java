package dev.outpost.provider.k8s.reason.facts;

import dev.outpost.provider.k8s.desired.MachineLabels;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The state of a Job. Absent parts are empty. */
public record JobFacts(Job job) {
    public boolean isSuspended() {
        return job.getSpec() != null && Boolean.TRUE.equals(job.getSpec().getSuspend());
    }

    public boolean isDeleted() {
        return job.getMetadata().getDeletionTimestamp() != null;
    }

    /** Returns the Kueue queue of the Job. */
    public Optional<String> queue() {
        Map<String, String> labels = job.getMetadata().getLabels();
        return labels == null ? Optional.empty() : Optional.ofNullable(labels.get(MachineLabels.QUEUE));
    }

    /** Returns true for a machine with a stated life, whose deadline is its agreed end. */
    public boolean isStated() {
        Map<String, String> labels = job.getMetadata().getLabels();
        return labels != null && MachineLabels.STATED.equals(labels.get(MachineLabels.LIFE));
    }

    public Optional<Duration> deadline() {
        return Optional.ofNullable(job.getSpec())
                .map(spec -> spec.getActiveDeadlineSeconds())
                .map(Duration::ofSeconds);
    }

    /** Returns the reason why it has failed, or will fail after its pods have ended. */
    public Optional<JobCondition> failure() {
        return conditions().stream()
                .filter(condition -> List.of("Failed", "FailureTarget").contains(condition.getType()))
                .filter(condition -> "True".equals(condition.getStatus()))
                .findFirst();
    }

    private List<JobCondition> conditions() {
        return job.getStatus() == null || job.getStatus().getConditions() == null
                ? List.of()
                : job.getStatus().getConditions();
    }
}
