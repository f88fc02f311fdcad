package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.MachinePhase;

/** The symptoms between the choice of a node and a running container. */
public enum StartSymptom implements Symptom {
    PLACED("it has a node", SymptomOutcome.GOES_ON, ""),
    STARTING("the container is being made", SymptomOutcome.GOES_ON, ""),
    VOLUME_MISSING(
            "a volume of a missing object",
            SymptomOutcome.WAITS,
            "Create it in this namespace, or take the volume out of outpost.k8s.patch."),
    MOUNT_FAILED(
            "a volume is not mounted", SymptomOutcome.WAITS, "It is tried again; kubectl describe pod tells more."),
    RUNTIME_MISSING(
            "no such container runtime on the node",
            SymptomOutcome.WAITS,
            "A new node may still be installing it; otherwise install the NVIDIA container toolkit there, or set"
                    + " outpost.k8s.runtime-class."),
    SANDBOX_FAILED(
            "no sandbox for the pod", SymptomOutcome.WAITS, "It is tried again; if it stays, look at that node."),
    CONFIG_MISSING(
            "a Secret or ConfigMap is missing",
            SymptomOutcome.WAITS,
            "Create it in this namespace, or take it out of outpost.k8s.patch."),
    ROOT_FORBIDDEN(
            "the image runs as root",
            SymptomOutcome.FINAL,
            "Use an image whose USER is a number other than 0 (outpost.k8s.image)."),
    CONFIG_REFUSED(
            "CreateContainerConfigError for another reason",
            SymptomOutcome.WAITS,
            "Correct the field that it names in outpost.k8s.patch or in the settings."),
    CREATE_FAILED(
            "the container cannot be created",
            SymptomOutcome.WAITS,
            "It is tried again; if it stays, look at that node."),
    DRIVER_TOO_OLD(
            "the driver is too old for the image's CUDA",
            SymptomOutcome.FINAL,
            "Update the driver of the node, or set outpost.k8s.image to an image with an older CUDA."),
    DRIVER_BROKEN(
            "the node's driver does not work",
            SymptomOutcome.FINAL,
            "Repair the driver of that node (nvidia-smi there shows more), or keep pods away from it (kubectl cordon)."),
    EXECUTABLE_MISSING(
            "the image has no such program",
            SymptomOutcome.FINAL,
            "Set outpost.k8s.image to an image of the Outpost runtime."),
    NOT_STARTED("the container cannot be started", SymptomOutcome.FINAL, "kubectl describe pod tells more."),
    CLAIM_NOT_PREPARED(
            "the device cannot be prepared",
            SymptomOutcome.WAITS,
            "Look at the pods of the DRA driver on that node: the kubelet tries again."),
    DEVICE_REFUSED(
            "UnexpectedAdmissionError",
            SymptomOutcome.FINAL,
            "Try again; if it repeats on that node, restart its device plugin and kubelet."),
    NODE_REFUSED("the node refused the pod", SymptomOutcome.FINAL, "Try again: another pod is scheduled anew."),
    NODE_SILENT(
            "the node does not answer",
            SymptomOutcome.WAITS,
            "It may come back; otherwise the cluster gives the pod up after some minutes (kubectl describe node)."),
    CRASHING("CrashLoopBackOff", SymptomOutcome.FINAL, "Check outpost.k8s.image and its settings.");

    private final Description description;

    StartSymptom(String title, SymptomOutcome outcome, String remedy) {
        this.description = new Description(title, outcome, remedy);
    }

    @Override
    public Description description() {
        return description;
    }

    /**
     * Returns the phase of a start with this symptom. Volumes and the sandbox come before the image, so a start that
     * waits for them counts as pulling.
     */
    @Override
    public MachinePhase phase() {
        return switch (this) {
            case PLACED, VOLUME_MISSING, MOUNT_FAILED, RUNTIME_MISSING, SANDBOX_FAILED -> MachinePhase.PULLING;
            default -> MachinePhase.STARTING;
        };
    }
}
