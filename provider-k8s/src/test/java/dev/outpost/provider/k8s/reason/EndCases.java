package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.EndSymptom;
import java.util.List;

/** The machine has ended. */
final class EndCases {
    private EndCases() {}

    static List<PodCase> all() {
        return List.of(
                PodCase.of("idle", EndSymptom.IDLE, "the machine was idle: no instruction for 10 minutes"),
                PodCase.of("idle-then-deleted", EndSymptom.IDLE, "the machine was idle: no instruction for 10 minutes"),
                PodCase.of("unused", EndSymptom.UNUSED, "the machine had no client: no client's heartbeat for 60 s"),
                PodCase.of(
                        "drained",
                        EndSymptom.DRAINED,
                        "the runtime was told to end: told to stop, all sessions closed"),
                PodCase.of(
                        "runtime-failed",
                        EndSymptom.RUNTIME_FAILED,
                        "the runtime gave up: the certificate in /var/run/outpost/key did not come within 60 s: "
                                + "\"2026-03-01 12:00:19 ERROR the runtime gives up\""),
                PodCase.of("deadline", EndSymptom.DEADLINE, "the machine reached its maximum lifetime of 2 h"),
                PodCase.of(
                        "deadline-while-ending",
                        EndSymptom.DEADLINE,
                        "the machine reached its maximum lifetime of 2 h"),
                PodCase.of("life-over", EndSymptom.LIFE_OVER, "the machine's stated life of 2 h is over"),
                PodCase.of(
                        "preempted",
                        EndSymptom.PREEMPTED,
                        "preempted: default-scheduler: preempting to accommodate a higher priority pod"),
                PodCase.of(
                        "preempted-by-the-node",
                        EndSymptom.PREEMPTED,
                        "preempted: Preempted in order to admit critical pod"),
                PodCase.of(
                        "preempted-old-cluster",
                        EndSymptom.PREEMPTED,
                        "preempted: Preempted by pod 1c9e3a52-66c4-4d6c-8a7e-0c53b1a9e8b4 on node " + "gpu-node-1"),
                PodCase.of(
                        "evicted-announced",
                        EndSymptom.EVICTED_STORAGE,
                        "evicted by the node: The node was low on resource: ephemeral-storage. Threshold "
                                + "quantity: 10120387530, available: 9204Mi. Container machine was using 48Gi, "
                                + "request is 0, has larger consumption of ephemeral-storage."),
                PodCase.of(
                        "evicted-emptydir",
                        EndSymptom.EVICTED_STORAGE,
                        "evicted by the node: Usage of EmptyDir volume \"tmp\" exceeds the limit \"1Gi\"."),
                PodCase.of(
                        "evicted-storage",
                        EndSymptom.EVICTED_STORAGE,
                        "evicted by the node: The node was low on resource: ephemeral-storage. Threshold "
                                + "quantity: 10120387530, available: 9204Mi. Container machine was using 48Gi, "
                                + "request is 0, has larger consumption of ephemeral-storage."),
                PodCase.of(
                        "evicted-memory",
                        EndSymptom.EVICTED_MEMORY,
                        "evicted by the node: The node was low on resource: memory. Threshold quantity: "
                                + "100Mi, available: 81Mi. Container machine was using 14Gi, request is 8Gi, has "
                                + "larger consumption of memory."),
                PodCase.of(
                        "disrupted-unknown",
                        EndSymptom.EVICTED,
                        "disrupted: DeletionByDescheduler: the pod was moved to another node"),
                PodCase.of(
                        "evicted-other",
                        EndSymptom.EVICTED,
                        "evicted by the node: The node was low on resource: pids. Threshold quantity: "
                                + "3276, available: 3000."),
                PodCase.of(
                        "evicted-by-request",
                        EndSymptom.EVICTED_BY_REQUEST,
                        "evicted through the API, as when the node gpu-node-1 is drained"),
                PodCase.of(
                        "device-tainted-away",
                        EndSymptom.DEVICE_LOST,
                        "the GPU on the node gpu-node-1 is unhealthy, and the pod was sent away: Device Taint manager:"
                                + " deleting due to NoExecute taint"),
                PodCase.of(
                        "tainted-away",
                        EndSymptom.TAINTED_AWAY,
                        "the node gpu-node-1 sent the pod away: Taint manager: deleting due to NoExecute " + "taint"),
                PodCase.of("node-shut-down", EndSymptom.NODE_SHUT_DOWN, "the node gpu-node-1 was shut down"),
                PodCase.of("node-shut-down-announced", EndSymptom.NODE_SHUT_DOWN, "the node gpu-node-1 was shut down"),
                PodCase.of(
                        "node-lost", EndSymptom.NODE_LOST, "the node gpu-node-1 is gone: PodGC: node no longer exists"),
                PodCase.of(
                        "node-lost-old-cluster",
                        EndSymptom.NODE_LOST,
                        "the node gpu-node-1 is gone: Node gpu-node-1 which was running pod "
                                + "outpost-a100-x7k2m9qd-4n2vz is unresponsive"),
                PodCase.of(
                        "out-of-memory",
                        EndSymptom.OUT_OF_MEMORY,
                        "the machine was killed (OOMKilled): it took more memory than its limit of 16Gi"),
                PodCase.of(
                        "out-of-memory-without-limit",
                        EndSymptom.OUT_OF_MEMORY,
                        "the machine was killed (OOMKilled): it took more memory than its node had"),
                PodCase.of(
                        "taken-back",
                        EndSymptom.TAKEN_BACK,
                        "Kueue took its quota back: Preempted to accommodate a workload (UID: 7a3e, "
                                + "JobUID: 9c1d) due to prioritization in the ClusterQueue"),
                PodCase.of("suspended-while-running", EndSymptom.SUSPENDED, "the Job was suspended"),
                PodCase.of(
                        "probe-failed",
                        EndSymptom.PROBE_FAILED,
                        "the machine was killed: its liveness probe failed: Get \"https://10.1.0.7:50052/q/health/live\": "
                                + "context deadline exceeded; its log ends with \"2026-03-01 12:00:09 WARN  out of "
                                + "threads\""),
                PodCase.of(
                        "probe-failed-without-event",
                        EndSymptom.PROBE_FAILED,
                        "the machine was killed: its liveness probe failed: Get \"https://10.1.0.7:50052/q/health/live\": "
                                + "context deadline exceeded; its log ends with \"2026-03-01 12:00:09 WARN  out of "
                                + "threads\""),
                PodCase.of(
                        "never-answered",
                        EndSymptom.NEVER_ANSWERED,
                        "the machine was killed: its startup probe failed: Get "
                                + "\"https://10.1.0.7:50052/q/health/started\": dial tcp 10.1.0.7:50052: connect: "
                                + "connection refused; its log ends with \"/docker-entrypoint.sh: Configuration "
                                + "complete; ready for start up\" / \"2026/03/01 12:00:11 [notice] 1#1: start worker "
                                + "processes\""),
                PodCase.of(
                        "never-answered-by-event",
                        EndSymptom.NEVER_ANSWERED,
                        "the machine was killed: its startup probe failed"),
                PodCase.of("deleted", EndSymptom.DELETED, "the pod was deleted"),
                PodCase.of("deleted-before-it-ran", EndSymptom.DELETED, "the pod was deleted"),
                PodCase.of("deleted-while-running", EndSymptom.DELETED, "the pod was deleted"),
                PodCase.of("job-deleted", EndSymptom.DELETED, "the Job was deleted"),
                PodCase.of("queued-job-deleted", EndSymptom.DELETED, "the Job was deleted"),
                PodCase.of(
                        "exited",
                        EndSymptom.EXITED,
                        "the runtime ended with exit code 1: \"2026-03-01 12:00:11 INFO  the runtime "
                                + "starts\" / \"Exception in thread \"main\" java.net.BindException: Address already "
                                + "in use\""),
                PodCase.of(
                        "exited-by-message",
                        EndSymptom.EXITED,
                        "the runtime ended with exit code 2: \"line one\" / \"no such engine: cuda\""),
                PodCase.of(
                        "exited-without-words",
                        EndSymptom.EXITED,
                        "the runtime was ended by a signal (exit code 139, SIGSEGV: segmentation fault)"),
                PodCase.of(
                        "killed",
                        EndSymptom.KILLED,
                        "the runtime was ended by a signal (exit code 137, SIGKILL), and the cluster does not say why; "
                                + "its memory limit is 16Gi; its log ends with \"2026-03-01 12:00:11 INFO  the runtime "
                                + "starts\" / \"2026-03-01 12:00:12 INFO  listening on 50051\""),
                PodCase.of(
                        "killed-before-it-answered",
                        EndSymptom.KILLED,
                        "the runtime was ended by a signal (exit code 137, SIGKILL), and the cluster does not say why; "
                                + "its memory limit is 16Gi; its log ends with \"2026-03-01 12:00:11 INFO  the runtime "
                                + "starts\""),
                PodCase.of(
                        "aborted",
                        EndSymptom.EXITED,
                        "the runtime was ended by a signal (exit code 134, SIGABRT: the JVM or a native library gave "
                                + "up); its log ends with \"2026-03-01 12:00:11 INFO  the runtime starts\" / "
                                + "\"2026-03-01 12:00:12 INFO  listening on 50051\""),
                PodCase.of(
                        "failed-then-deleted",
                        EndSymptom.EXITED,
                        "the runtime ended with exit code 1: \"out of device memory\""),
                PodCase.of("finished", EndSymptom.FINISHED, "the runtime ended by itself"),
                PodCase.of("pod-failed", EndSymptom.POD_FAILED, "the pod ended without a reason"),
                PodCase.of(
                        "job-failed",
                        EndSymptom.JOB_FAILED,
                        "the Job has failed: BackoffLimitExceeded: Job has reached the specified backoff " + "limit"));
    }
}
