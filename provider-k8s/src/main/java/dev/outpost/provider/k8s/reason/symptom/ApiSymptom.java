package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.MachinePhase;

/** The possible outcomes of a request to the API server. */
public enum ApiSymptom implements Symptom {
    FORBIDDEN(
            "forbidden by RBAC",
            SymptomOutcome.RETRIED_BRIEFLY,
            "Have an administrator apply deploy/base and bind its Role to this user (./outpost doctor lists what is"
                    + " missing)."),
    ANONYMOUS(
            "no credentials",
            SymptomOutcome.FINAL,
            "Check the user of the context in the kubeconfig, and outpost.k8s.context."),
    REFUSED("refused for another reason (403)", SymptomOutcome.RETRIED_BRIEFLY, "Ask the operator of the cluster."),
    UNAUTHORIZED(
            "credentials not accepted (401)",
            SymptomOutcome.RETRIED_ONCE,
            "They may have expired: log in again, and check the user of the context in the kubeconfig."),
    NAMESPACE_MISSING(
            "no such namespace",
            SymptomOutcome.FINAL,
            "Create it (kubectl apply -k deploy/base), or set outpost.k8s.namespace to one that exists."),
    CONTEXT_MISSING("no such context", SymptomOutcome.FINAL, "Set outpost.k8s.context to one of the kubeconfig."),
    OBJECT_MISSING(
            "no such object",
            SymptomOutcome.FINAL,
            "It was deleted, or never created; ./outpost machines list shows the existing machines."),
    API_MISSING(
            "no such API",
            SymptomOutcome.FINAL,
            "Check the server of the context in the kubeconfig, and that the cluster has the requested API."),
    FIELD_CONFLICT(
            "fields that another manager owns",
            SymptomOutcome.FINAL,
            "Leave these fields to it, or delete the object."),
    CONFLICT("conflict (409)", SymptomOutcome.RETRIED, "Another client changed the object at the same time."),
    HISTORY_EXPIRED("history expired (410)", SymptomOutcome.RETRIED, "The list is read anew."),
    INVALID(
            "invalid request",
            SymptomOutcome.FINAL,
            "Correct the field that it names in the settings or in outpost.k8s.patch."),
    THROTTLED("throttled (429)", SymptomOutcome.RETRIED, "The server has too much to do."),
    SERVER_ERROR("the server fails (5xx)", SymptomOutcome.RETRIED, "If it stays, ask the operator of the cluster."),
    HOST_UNKNOWN(
            "unknown host",
            SymptomOutcome.RETRIED,
            "Check the server of the context in the kubeconfig, and the DNS or VPN of this machine."),
    NOT_LISTENING(
            "connection refused",
            SymptomOutcome.RETRIED,
            "Check that the cluster runs, and the server of the context in the kubeconfig."),
    TIMED_OUT(
            "no answer in time", SymptomOutcome.RETRIED, "Check the VPN, proxy or firewall on the way to the cluster."),
    NOT_TRUSTED(
            "certificate not trusted",
            SymptomOutcome.FINAL,
            "Check the certificate authority and the client certificate of the context in the kubeconfig."),
    CONNECTION_LOST("connection lost", SymptomOutcome.RETRIED, "If it stays, check the way to the cluster."),
    FAILED(
            "no answer for another reason",
            SymptomOutcome.RETRIED,
            "Check the cause in the message; ./outpost doctor tells more."),
    OTHER("another answer", SymptomOutcome.FINAL, "Ask the operator of the cluster.");

    private final Description description;

    ApiSymptom(String title, SymptomOutcome outcome, String remedy) {
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
