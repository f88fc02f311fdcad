package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.desired.SuspendedJob;
import dev.outpost.provider.k8s.reason.facts.JobFacts;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.EndSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.QueueSymptom;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.util.Optional;

/** Finds out why a Job has no pod. */
final class QueueReasons {
    private QueueReasons() {}

    /** Returns a finding if the Job has failed, and no pod is left that shows the reason. */
    static Optional<Finding> failedWithoutPod(ObservedMachine observed) {
        return observed.job().map(JobFacts::new).flatMap(JobFacts::failure).map(QueueReasons::failed);
    }

    private static Finding failed(JobCondition failure) {
        return EndSymptom.JOB_FAILED.found("the Job has failed: " + failure.getReason() + ": " + failure.getMessage());
    }

    /** Returns a finding if the Job is suspended, either by Kueue until quota is free, or by a user. */
    static Optional<Finding> suspended(ObservedMachine observed) {
        return observed.job()
                .map(JobFacts::new)
                .filter(job -> job.isSuspended() && !job.isDeleted())
                .map(job -> job.queue().map(queue -> queued(observed, queue)).orElseGet(() -> withoutQueue(job)));
    }

    private static Finding withoutQueue(JobFacts job) {
        return SuspendedJob.isHeld(job.job())
                ? QueueSymptom.HELD.found("waiting for its client to bring its key")
                : QueueSymptom.SUSPENDED.found("the Job is suspended and names no queue");
    }

    private static Finding queued(ObservedMachine observed, String queue) {
        return observed.diagnostics()
                .workload()
                .map(workload -> new WorkloadReasons(
                                workload, queue, observed.diagnostics().queuePosition())
                        .finding())
                .orElseGet(() -> QueueSymptom.QUEUED.found("waiting in the Kueue queue " + queue));
    }

    /** Returns a finding if nothing is known except that the machine was requested. */
    static Optional<Finding> asked(ObservedMachine observed) {
        return Optional.of(QueueSymptom.ASKED.found(
                observed.job().isPresent() ? "waiting for the pod of the Job" : "waiting for the Job"));
    }
}
