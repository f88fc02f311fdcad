package dev.outpost.system.k8s.cluster.control;

import dev.outpost.system.k8s.cluster.api.ApiException;
import dev.outpost.system.k8s.cluster.api.ClusterObjects;
import dev.outpost.system.k8s.cluster.api.ResourcePath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** One Job's life. It never makes a second pod, as long as it is not suspended: the Jobs here have {@code backoffLimit: 0}. */
final class JobRun {
    /** The surroundings that all Jobs of a cluster share. */
    record Surroundings(
            ClusterObjects objects,
            EventRecorder events,
            PacedClock clock,
            Supplier<String> now,
            Supplier<Optional<String>> refusal) {}

    private static final String NAME = "kube-controller-manager";
    private static final String FAILURE_TARGET = "FailureTarget";

    private final Surroundings cluster;
    private boolean podMade;
    private Duration startedAt;
    private Duration finishedAt;

    JobRun(Surroundings cluster) {
        this.cluster = cluster;
    }

    /** Does what there is to do. The answer is in how much of the cluster's time more will be due. */
    Optional<Duration> pass(Job job, Optional<Pod> pod) {
        if (job.getMetadata().getDeletionTimestamp() != null) {
            return Optional.empty();
        }
        if (JobStatuses.isFinished(job)) {
            return expire(job);
        }
        if (Boolean.TRUE.equals(job.getSpec().getSuspend())) {
            suspend(job, pod);
            return Optional.empty();
        }
        return run(job, pod);
    }

    // ---- suspended

    private void suspend(Job job, Optional<Pod> pod) {
        podMade = false;
        startedAt = null;
        pod.filter(present -> !JobPods.isTerminating(present)).ifPresent(cluster.objects::delete);
        if (!JobStatuses.isTrue(job, "Suspended")) {
            edit(job, present -> JobStatuses.suspended(present, now()));
            cluster.events.normal(job, "Suspended", "Job suspended");
        }
    }

    private void resume(Job job) {
        startedAt = cluster.clock.now();
        boolean wasSuspended = JobStatuses.isTrue(job, "Suspended");
        edit(job, present -> {
            Job started = JobStatuses.started(present, now());
            return wasSuspended
                    ? JobStatuses.withCondition(started, "Suspended", false, "JobResumed", "Job resumed", now())
                    : started;
        });
        if (wasSuspended) {
            cluster.events.normal(job, "Resumed", "Job resumed");
        }
    }

    // ---- running

    private Optional<Duration> run(Job job, Optional<Pod> pod) {
        if (startedAt == null) {
            resume(job);
        }
        if (pod.isPresent() && JobPods.hasSucceeded(pod.get())) {
            complete(job);
        } else if (isFailed(job, pod)) {
            fail(job, pod);
        } else if (pod.isEmpty()) {
            makePod(job);
        } else {
            edit(job, present -> JobStatuses.withPods(present, 1, JobPods.isReady(pod.get()) ? 1 : 0));
        }
        return untilDeadline(job);
    }

    private boolean isFailed(Job job, Optional<Pod> pod) {
        return JobStatuses.isTrue(job, FAILURE_TARGET)
                || isOverdue(job)
                || podMade && pod.isEmpty()
                || pod.filter(JobPods::hasFailed).isPresent();
    }

    private boolean isOverdue(Job job) {
        return untilDeadline(job).filter(left -> !left.isPositive()).isPresent();
    }

    private Optional<Duration> untilDeadline(Job job) {
        return Optional.ofNullable(job.getSpec().getActiveDeadlineSeconds())
                .map(seconds -> startedAt.plusSeconds(seconds).minus(cluster.clock.now()));
    }

    private void makePod(Job job) {
        Pod pod = JobPods.made(job);
        try {
            cluster.refusal.get().ifPresent(why -> {
                throw ApiException.forbidden(ResourcePath.of(pod), why);
            });
            cluster.objects.create(pod, Pod.class);
        } catch (ApiException refused) {
            cluster.events.warning(job, "FailedCreate", "Error creating: " + refused.getMessage());
            return;
        }
        podMade = true;
        cluster.events.normal(
                job, "SuccessfulCreate", "Created pod: " + pod.getMetadata().getName());
    }

    // ---- its end

    private void complete(Job job) {
        finishedAt = cluster.clock.now();
        edit(job, present -> JobStatuses.complete(present, now()));
        cluster.events.normal(job, "Completed", "Job completed");
    }

    /** First it is clear that the Job will fail; it has failed when its pod has ended. */
    private void fail(Job job, Optional<Pod> pod) {
        boolean overdue = isOverdue(job);
        String reason = overdue ? "DeadlineExceeded" : "BackoffLimitExceeded";
        String message = overdue
                ? "Job was active longer than specified deadline"
                : "Job has reached the specified backoff limit";
        if (!JobStatuses.isTrue(job, FAILURE_TARGET)) {
            edit(job, present -> JobStatuses.withCondition(present, FAILURE_TARGET, true, reason, message, now()));
            cluster.events.warning(job, reason, message);
        }
        if (pod.isEmpty() || JobPods.hasEnded(pod.get())) {
            finishedAt = cluster.clock.now();
            edit(
                    job,
                    present -> JobStatuses.failed(
                            present,
                            JobStatuses.condition(present, FAILURE_TARGET).orElseThrow(),
                            now()));
        } else if (!JobPods.isTerminating(pod.get())) {
            cluster.objects.delete(pod.get());
        }
    }

    private Optional<Duration> expire(Job job) {
        if (finishedAt == null) {
            finishedAt = cluster.clock.now();
        }
        Optional<Duration> left = Optional.ofNullable(job.getSpec().getTtlSecondsAfterFinished())
                .map(seconds -> finishedAt.plusSeconds(seconds).minus(cluster.clock.now()));
        left.filter(time -> !time.isPositive()).ifPresent(over -> cluster.objects.deleteAfterDependents(job));
        return left;
    }

    private void edit(Job job, UnaryOperator<Job> change) {
        cluster.objects.edit(
                Job.class, job.getMetadata().getNamespace(), job.getMetadata().getName(), NAME, change);
    }

    private String now() {
        return cluster.now.get();
    }
}
