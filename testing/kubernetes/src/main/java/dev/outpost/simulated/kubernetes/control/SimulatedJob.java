package dev.outpost.simulated.kubernetes.control;

import dev.outpost.simulated.kubernetes.api.ApiStatusException;
import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import dev.outpost.simulated.kubernetes.api.PodPhases;
import dev.outpost.simulated.kubernetes.api.ResourcePath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The life of one Job. It makes no second pod unless it was suspended, because the Jobs here have {@code backoffLimit: 0}. */
final class SimulatedJob {
    /** The surroundings that all Jobs of a cluster share. */
    record SimulatedJobContext(
            ClusterObjects objects,
            EventRecorder events,
            PacedClock clock,
            Supplier<String> now,
            Supplier<Optional<String>> refusal) {}

    private static final String NAME = "kube-controller-manager";
    private static final String FAILURE_TARGET = "FailureTarget";

    private final SimulatedJobContext cluster;
    private boolean podsMade;
    private Duration startedAt;
    private Duration finishedAt;

    SimulatedJob(SimulatedJobContext cluster) {
        this.cluster = cluster;
    }

    /** Does the due work. Returns the cluster's time until more is due. */
    Optional<Duration> pass(Job job, List<Pod> pods) {
        if (job.getMetadata().getDeletionTimestamp() != null) {
            return Optional.empty();
        }
        if (JobStatuses.isFinished(job)) {
            return expire(job);
        }
        if (Boolean.TRUE.equals(job.getSpec().getSuspend())) {
            suspend(job, pods);
            return Optional.empty();
        }
        return run(job, pods);
    }

    // ---- suspended

    private void suspend(Job job, List<Pod> pods) {
        podsMade = false;
        startedAt = null;
        pods.stream().filter(pod -> !JobPods.isTerminating(pod)).forEach(cluster.objects::delete);
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

    private Optional<Duration> run(Job job, List<Pod> pods) {
        if (startedAt == null) {
            resume(job);
        }
        if (pods.size() == JobPods.count(job) && pods.stream().allMatch(JobPods::hasSucceeded)) {
            complete(job);
        } else if (isFailed(job, pods)) {
            fail(job, pods);
        } else if (pods.isEmpty()) {
            makePods(job);
        } else {
            int ready = (int) pods.stream().filter(JobPods::isReady).count();
            edit(job, present -> JobStatuses.withPods(present, pods.size(), ready));
        }
        return untilDeadline(job);
    }

    private boolean isFailed(Job job, List<Pod> pods) {
        return JobStatuses.isTrue(job, FAILURE_TARGET)
                || isOverdue(job)
                || podsMade && pods.size() < JobPods.count(job)
                || pods.stream().anyMatch(JobPods::hasFailed);
    }

    private boolean isOverdue(Job job) {
        return untilDeadline(job).filter(left -> !left.isPositive()).isPresent();
    }

    private Optional<Duration> untilDeadline(Job job) {
        return Optional.ofNullable(job.getSpec().getActiveDeadlineSeconds())
                .map(seconds -> startedAt.plusSeconds(seconds).minus(cluster.clock.now()));
    }

    private void makePods(Job job) {
        for (int index = 0; index < JobPods.count(job); index++) {
            makePod(job, JobPods.made(job, index));
        }
    }

    private void makePod(Job job, Pod pod) {
        try {
            cluster.refusal.get().ifPresent(why -> {
                throw ApiStatusException.forbidden(ResourcePath.of(pod), why);
            });
            cluster.objects.create(pod, Pod.class);
        } catch (ApiStatusException refusal) {
            cluster.events.warning(job, "FailedCreate", "Error creating: " + refusal.getMessage());
            return;
        }
        podsMade = true;
        cluster.events.normal(
                job, "SuccessfulCreate", "Created pod: " + pod.getMetadata().getName());
    }

    // ---- its end

    private void complete(Job job) {
        finishedAt = cluster.clock.now();
        edit(job, present -> JobStatuses.complete(present, now()));
        cluster.events.normal(job, "Completed", "Job completed");
    }

    /** Fails a Job: it is first marked to fail, and has failed when its pods have ended. */
    private void fail(Job job, List<Pod> pods) {
        boolean overdue = isOverdue(job);
        String reason = overdue ? "DeadlineExceeded" : "BackoffLimitExceeded";
        String message = overdue
                ? "Job was active longer than specified deadline"
                : "Job has reached the specified backoff limit";
        if (!JobStatuses.isTrue(job, FAILURE_TARGET)) {
            edit(job, present -> JobStatuses.withCondition(present, FAILURE_TARGET, true, reason, message, now()));
            cluster.events.warning(job, reason, message);
        }
        if (pods.stream().allMatch(PodPhases::hasEnded)) {
            finishedAt = cluster.clock.now();
            edit(
                    job,
                    present -> JobStatuses.failed(
                            present,
                            JobStatuses.condition(present, FAILURE_TARGET).orElseThrow(),
                            now()));
        } else {
            pods.stream()
                    .filter(pod -> !JobPods.isTerminating(pod) && !PodPhases.hasEnded(pod))
                    .forEach(cluster.objects::delete);
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
