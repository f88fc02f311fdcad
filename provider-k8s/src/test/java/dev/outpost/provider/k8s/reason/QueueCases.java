package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.QueueSymptom;
import java.util.List;

/** States before the pod exists: requested, queued, suspended. */
final class QueueCases {
    private QueueCases() {}

    static List<PodCase> all() {
        return List.of(
                PodCase.of("job", QueueSymptom.ASKED, "waiting for the pod of the Job"),
                PodCase.of("held", QueueSymptom.HELD, "waiting for its client to bring its key"),
                PodCase.of("queued", QueueSymptom.QUEUED, "waiting in the Kueue queue gpu"),
                PodCase.of(
                        "quota-reserved",
                        QueueSymptom.QUOTA_RESERVED,
                        "the Kueue queue gpu has reserved quota, waiting for its check provision (waiting "
                                + "for a node)"),
                PodCase.of(
                        "quota-in-use",
                        QueueSymptom.QUOTA_IN_USE,
                        "waiting for quota in the Kueue queue gpu: insufficient unused quota for "
                                + "nvidia.com/gpu in flavor a100, 1 more needed"),
                PodCase.of(
                        "quota-in-use-of-two-flavors",
                        QueueSymptom.QUOTA_IN_USE,
                        "waiting for quota in the Kueue queue gpu: insufficient quota for nvidia.com/gpu "
                                + "in flavor cpu, request > maximum capacity (1 > 0), insufficient unused quota for "
                                + "nvidia.com/gpu in flavor a100, 1 more needed"),
                PodCase.of(
                        "quota-in-use-third",
                        QueueSymptom.QUOTA_IN_USE,
                        "waiting for quota in the Kueue queue gpu (3rd in line): insufficient unused quota "
                                + "for nvidia.com/gpu in flavor a100, 1 more needed"),
                PodCase.of(
                        "quota-too-small",
                        QueueSymptom.QUOTA_TOO_SMALL,
                        "the Kueue queue gpu can never hold the machine: insufficient quota for "
                                + "nvidia.com/gpu in flavor a100, request > maximum capacity (1 > 0)"),
                PodCase.of(
                        "queue-missing",
                        QueueSymptom.QUEUE_MISSING,
                        "no such Kueue queue: LocalQueue gpu doesn't exist"),
                PodCase.of(
                        "queue-stopped",
                        QueueSymptom.QUEUE_STOPPED,
                        "the Kueue queue gpu admits nothing: ClusterQueue team-a is inactive"),
                PodCase.of(
                        "quota-taken-back",
                        QueueSymptom.QUOTA_TAKEN_BACK,
                        "Kueue took its quota back and queued it again in gpu: Preempted to accommodate a "
                                + "workload (UID: 7a3e, JobUID: 9c1d) due to prioritization in the ClusterQueue"),
                PodCase.of(
                        "taken-back-before-it-ran",
                        QueueSymptom.QUOTA_TAKEN_BACK,
                        "Kueue took its quota back and queued it again in gpu: Exceeded the PodsReady "
                                + "timeout outpost/job-x"),
                PodCase.of(
                        "not-admitted",
                        QueueSymptom.NOT_ADMITTED,
                        "the Kueue queue gpu has not admitted it: Waiting: The workload waits for a " + "topology"),
                PodCase.of("suspended", QueueSymptom.SUSPENDED, "the Job is suspended and names no queue"),
                PodCase.of(
                        "gated",
                        QueueSymptom.GATED,
                        "the pod is held back by the scheduling gates kueue.x-k8s.io/admission"));
    }
}
