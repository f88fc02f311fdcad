package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineObservation.EndCause;

/** The events by which a machine ends without being released. */
public enum EndSymptom implements Symptom {
    IDLE("idle", SymptomOutcome.ENDS_IDLE, ""),
    UNUSED("no client", "A machine that is to live without a client is started with a stated life."),
    DRAINED("told to stop", "kubectl get events shows who stopped it."),
    RUNTIME_FAILED("the runtime gave up", "Correct the stated cause, and start again."),
    DEADLINE("maximum lifetime", "Set outpost.k8s.maximum-lifetime higher."),
    LIFE_OVER("stated life", "Start another, for longer (./outpost machines start --for)."),
    PREEMPTED("preempted", "Start again, or give machines a higher outpost.k8s.priority-class."),
    EVICTED_STORAGE(
            "evicted for disk space",
            "Ask for ephemeral-storage by outpost.k8s.patch, or use nodes with larger disks."),
    EVICTED_MEMORY(
            "evicted for memory",
            "Set outpost.k8s.memory to the memory that the machine needs. Kubernetes then reserves it."),
    EVICTED("evicted for another reason", "Start again; kubectl describe node tells more."),
    EVICTED_BY_REQUEST(
            "evicted through the API",
            "Start again; an autoscaler leaves machines alone that are annotated so in outpost.k8s.annotations"
                    + " (cluster-autoscaler.kubernetes.io/safe-to-evict=false, karpenter.sh/do-not-disrupt=true)."),
    TAINTED_AWAY("the node got a NoExecute taint", "Start again; kubectl describe node tells more."),
    DEVICE_LOST("the device got a NoExecute taint", "Start again; kubectl get resourceslices -o yaml shows the taint."),
    NODE_SHUT_DOWN("the node is shut down", "Start again; nodes that are not spot or preemptible stay longer."),
    NODE_LOST("the node is gone", "Start again; kubectl get nodes shows the remaining nodes."),
    OUT_OF_MEMORY("OOMKilled", "Set outpost.k8s.memory higher (and outpost.k8s.memory-limit, where it is set)."),
    TAKEN_BACK(
            "evicted by Kueue while it ran",
            "A label kueue.x-k8s.io/priority-class in outpost.k8s.labels gives it precedence."),
    SUSPENDED("suspended while it ran", "Start again; kubectl get events shows who did it."),
    PROBE_FAILED(
            "its probe failed", "Start again; if it repeats, give it more outpost.k8s.cpu and outpost.k8s.memory."),
    NEVER_ANSWERED(
            "its startup probe failed",
            "Check that outpost.k8s.image is an image of the Outpost runtime; if it is, give it more outpost.k8s.cpu."),
    DELETED("deleted", "Start again; the audit log of the cluster names the user."),
    KILLED(
            "killed by a signal",
            "If it repeats, set outpost.k8s.memory higher; the kernel log of its node says if memory was the cause."),
    EXITED("exited with a code", "Start again; if it repeats, check outpost.k8s.image and its settings."),
    FINISHED("ended by itself", "Start again; if it repeats, check outpost.k8s.image and its settings."),
    POD_FAILED("failed for another reason", "kubectl describe pod tells more."),
    JOB_FAILED("the Job failed", "kubectl describe job tells more.");

    private final Description description;

    /** Makes a symptom whose usual outcome is {@code ENDS}. */
    EndSymptom(String title, String remedy) {
        this(title, SymptomOutcome.ENDS, remedy);
    }

    EndSymptom(String title, SymptomOutcome outcome, String remedy) {
        this.description = new Description(title, outcome, remedy);
    }

    @Override
    public Description description() {
        return description;
    }

    /** Returns the cause of the end, as a control plane reports it. */
    public EndCause cause() {
        return switch (this) {
            case IDLE -> EndCause.IDLE;
            case UNUSED -> EndCause.UNUSED;
            case DEADLINE, LIFE_OVER -> EndCause.EXPIRED;
            case DRAINED, DELETED -> EndCause.STOPPED;
            case RUNTIME_FAILED,
                    PREEMPTED,
                    EVICTED_STORAGE,
                    EVICTED_MEMORY,
                    EVICTED,
                    EVICTED_BY_REQUEST,
                    TAINTED_AWAY,
                    DEVICE_LOST,
                    NODE_SHUT_DOWN,
                    NODE_LOST,
                    OUT_OF_MEMORY,
                    TAKEN_BACK,
                    SUSPENDED,
                    PROBE_FAILED,
                    NEVER_ANSWERED,
                    KILLED,
                    EXITED,
                    FINISHED,
                    POD_FAILED,
                    JOB_FAILED -> EndCause.FAILED;
        };
    }

    @Override
    public MachinePhase phase() {
        return MachinePhase.READY;
    }
}
