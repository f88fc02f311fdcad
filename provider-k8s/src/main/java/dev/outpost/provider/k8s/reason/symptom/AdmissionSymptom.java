package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.MachinePhase;

/** The reasons for which the API server refuses to create the Job, or refuses the pod of the Job controller. */
public enum AdmissionSymptom implements Symptom {
    POD_SECURITY(
            "Pod Security",
            "Remove the forbidden fields from outpost.k8s.patch, or have the namespace's level changed."),
    WEBHOOK_DENIED(
            "an admission webhook or policy denies it",
            "Fulfil its demand with outpost.k8s.labels, outpost.k8s.annotations or outpost.k8s.patch."),
    WEBHOOK_DOWN(
            "an admission webhook does not answer",
            SymptomOutcome.WAITS,
            "It is tried again; ask the operator of the webhook."),
    QUOTA_USED_UP(
            "the namespace's quota is used up",
            SymptomOutcome.WAITS,
            "Stop unneeded machines (./outpost machines list), or have the quota raised."),
    QUOTA_WANTS_LIMITS(
            "the namespace's quota wants limits",
            "Set outpost.k8s.cpu-limit for limits.cpu, or add the other limits that it names by outpost.k8s.patch."),
    QUOTA_TOO_SMALL(
            "more than the namespace's whole quota",
            "Ask for less, have the quota raised (kubectl describe resourcequota), or set outpost.k8s.namespace to another"
                    + " namespace."),
    LIMIT_RANGE("the namespace's LimitRange", "Set outpost.k8s.cpu and outpost.k8s.memory to values that it allows."),
    SERVICE_ACCOUNT_MISSING(
            "no such service account", "Create it, or set outpost.k8s.service-account to one that exists."),
    RUNTIME_CLASS_MISSING(
            "no such runtime class",
            "Set outpost.k8s.runtime-class to one that exists (kubectl get runtimeclasses), or leave it out."),
    PRIORITY_CLASS_MISSING(
            "no such priority class",
            "Set outpost.k8s.priority-class to one that exists (kubectl get priorityclasses)."),
    NAMESPACE_ENDING("the namespace is being deleted", "Set outpost.k8s.namespace to another, or create it anew."),
    OBJECT_INVALID(
            "the API server calls it invalid",
            "Correct the field that it names in outpost.k8s.patch or in the settings."),
    REFUSED("refused for another reason", SymptomOutcome.WAITS, "It is tried again; kubectl describe job tells more.");

    private final Description description;

    /** Makes a symptom whose usual outcome is {@code FINAL}. */
    AdmissionSymptom(String title, String remedy) {
        this(title, SymptomOutcome.FINAL, remedy);
    }

    AdmissionSymptom(String title, SymptomOutcome outcome, String remedy) {
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
