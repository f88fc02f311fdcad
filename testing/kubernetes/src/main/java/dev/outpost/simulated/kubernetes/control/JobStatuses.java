package dev.outpost.simulated.kubernetes.control;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobConditionBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A Job's status, read and written. */
final class JobStatuses {
    private JobStatuses() {}

    static boolean isFinished(Job job) {
        return isTrue(job, "Complete") || isTrue(job, "Failed");
    }

    static boolean isTrue(Job job, String condition) {
        return condition(job, condition)
                .filter(found -> found.getStatus().equals("True"))
                .isPresent();
    }

    static Optional<JobCondition> condition(Job job, String type) {
        return conditions(job).stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    static boolean hasStarted(Job job) {
        return job.getStatus() != null && job.getStatus().getStartTime() != null;
    }

    private static List<JobCondition> conditions(Job job) {
        return job.getStatus() == null ? List.of() : job.getStatus().getConditions();
    }

    // ---- writing

    static Job withCondition(Job job, String type, boolean value, String reason, String message, String now) {
        List<JobCondition> conditions = new ArrayList<>(conditions(job));
        conditions.removeIf(condition -> condition.getType().equals(type));
        conditions.add(new JobConditionBuilder()
                .withType(type)
                .withStatus(value ? "True" : "False")
                .withReason(reason)
                .withMessage(message)
                .withLastProbeTime(now)
                .withLastTransitionTime(now)
                .build());
        return new JobBuilder(job)
                .editOrNewStatus()
                .withConditions(conditions)
                .endStatus()
                .build();
    }

    static Job started(Job job, String now) {
        return new JobBuilder(job)
                .editOrNewStatus()
                .withStartTime(now)
                .endStatus()
                .build();
    }

    static Job withPods(Job job, int active, int ready) {
        return new JobBuilder(job)
                .editOrNewStatus()
                .withActive(active == 0 ? null : active)
                .withReady(ready)
                .endStatus()
                .build();
    }

    static Job suspended(Job job, String now) {
        Job without = new JobBuilder(job)
                .editOrNewStatus()
                .withStartTime(null)
                .withActive(null)
                .endStatus()
                .build();
        return withCondition(without, "Suspended", true, "JobSuspended", "Job suspended", now);
    }

    static Job complete(Job job, String now) {
        Job counted = new JobBuilder(job)
                .editOrNewStatus()
                .withActive(null)
                .withSucceeded(1)
                .withCompletionTime(now)
                .endStatus()
                .build();
        String message = "Reached expected number of succeeded pods";
        Job met = withCondition(counted, "SuccessCriteriaMet", true, "CompletionsReached", message, now);
        return withCondition(met, "Complete", true, "CompletionsReached", message, now);
    }

    static Job failed(Job job, JobCondition target, String now) {
        Job counted = new JobBuilder(job)
                .editOrNewStatus()
                .withActive(null)
                .withFailed(1)
                .endStatus()
                .build();
        return withCondition(counted, "Failed", true, target.getReason(), target.getMessage(), now);
    }
}
