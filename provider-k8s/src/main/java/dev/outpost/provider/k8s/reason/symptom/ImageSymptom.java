package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.MachinePhase;

/** The symptoms while the node pulls the image. */
public enum ImageSymptom implements Symptom {
    PULLING("the image is being pulled", SymptomOutcome.GOES_ON, ""),
    NOT_FOUND(
            "image not found",
            SymptomOutcome.FINAL_WHEN_REPEATED,
            "Check outpost.k8s.image, and that this tag was pushed to that registry."),
    UNAUTHORIZED(
            "image pull not authorized",
            SymptomOutcome.FINAL_WHEN_REPEATED,
            "Name a Secret with the registry's credentials in outpost.k8s.image-pull-secrets; registries answer the"
                    + " same for a repository that does not exist."),
    UNREACHABLE(
            "registry not reachable from the node",
            "Check the registry's name in outpost.k8s.image, and the node's DNS, proxy and firewall."),
    NOT_TRUSTED(
            "registry not trusted by the node",
            "Have the nodes trust the registry's certificate, or use a registry that they trust."),
    RATE_LIMITED(
            "registry limits pulls",
            "It is tried again; credentials in outpost.k8s.image-pull-secrets or a mirror raise the limit."),
    WRONG_PLATFORM(
            "image for another platform",
            SymptomOutcome.FINAL,
            "Build the image for the node's architecture, or choose other nodes by outpost.k8s.node-selector."),
    DISK_FULL(
            "no space for the image",
            "Give the nodes larger disks, or use a smaller image; the kubelet removes unused images by itself."),
    NEVER_PULLED(
            "image not on the node and not to be pulled",
            SymptomOutcome.FINAL,
            "Load it onto the node (kind load docker-image, minikube image load), or set"
                    + " outpost.k8s.image-pull-policy to"
                    + " if-not-present."),
    NAME_INVALID(
            "not an image name",
            SymptomOutcome.FINAL,
            "Correct outpost.k8s.image: it reads like registry.example.com/team/runtime:1.0, in lower case."),
    PULL_FAILED("image pull failed for another reason", "It is tried again; kubectl describe pod tells more.");

    private final Description description;

    /** Makes a symptom whose usual outcome is {@code WAITS}. */
    ImageSymptom(String title, String remedy) {
        this(title, SymptomOutcome.WAITS, remedy);
    }

    ImageSymptom(String title, SymptomOutcome outcome, String remedy) {
        this.description = new Description(title, outcome, remedy);
    }

    @Override
    public Description description() {
        return description;
    }

    @Override
    public MachinePhase phase() {
        return MachinePhase.PULLING;
    }
}
