package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.MachinePhase;

/** The symptoms before the pod exists. They are reasons why the Job has no pod. */
public enum QueueSymptom implements Symptom {
    ASKED("no pod yet", SymptomOutcome.GOES_ON, ""),
    HELD("no key yet", SymptomOutcome.GOES_ON, ""),
    QUEUED("in a Kueue queue", SymptomOutcome.GOES_ON, ""),
    QUOTA_RESERVED("quota reserved, admission checks open", SymptomOutcome.GOES_ON, ""),
    QUOTA_IN_USE(
            "the queue's quota is in use",
            "It starts when others give quota back; outpost.k8s.queue chooses another queue."),
    QUOTA_TOO_SMALL(
            "more than the queue's whole quota",
            SymptomOutcome.FINAL,
            "Have the quota of its ClusterQueue raised, or set outpost.k8s.queue to a queue that has enough."),
    QUEUE_MISSING(
            "no such queue",
            SymptomOutcome.FINAL,
            "Create the queue in this namespace, or set outpost.k8s.queue to one that exists (kubectl get"
                    + " localqueues)."),
    QUEUE_STOPPED(
            "the queue is stopped",
            "Ask the operator of the queue why it is inactive, or set outpost.k8s.queue to another."),
    QUOTA_TAKEN_BACK(
            "evicted by Kueue before it ran",
            "It starts again when there is quota; a label kueue.x-k8s.io/priority-class in outpost.k8s.labels gives it"
                    + " precedence."),
    NOT_ADMITTED("not admitted for another reason", "Look at the Workload: kubectl describe workloads."),
    SUSPENDED(
            "suspended without a queue",
            "Set spec.suspend of the Job to false, or name a Kueue queue in outpost.k8s.queue."),
    GATED("scheduling gates", "spec.schedulingGates of the pod names the gates. Ask their owner to remove them.");

    private final Description description;

    /** Makes a symptom whose usual outcome is {@code WAITS}. */
    QueueSymptom(String title, String remedy) {
        this(title, SymptomOutcome.WAITS, remedy);
    }

    QueueSymptom(String title, SymptomOutcome outcome, String remedy) {
        this.description = new Description(title, outcome, remedy);
    }

    @Override
    public Description description() {
        return description;
    }

    @Override
    public MachinePhase phase() {
        return MachinePhase.QUEUED;
    }
}
