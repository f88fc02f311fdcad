package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.ProvisioningStep.Phase;

/** The possible outcomes of a request to the API server. */
public enum ApiSymptom implements Symptom {
    FORBIDDEN(
            "forbidden by RBAC",
            Then.RETRIED_BRIEFLY,
            "Have an administrator apply deploy/base and bind its Role to this user (./outpost doctor lists what is"
                    + " missing)."),
    ANONYMOUS(
            "no credentials", Then.FINAL, "Check the user of the context in the kubeconfig, and outpost.k8s.context."),
    REFUSED("refused for another reason (403)", Then.RETRIED_BRIEFLY, "Ask whoever runs the cluster."),
    UNAUTHORIZED(
            "credentials not accepted (401)",
            Then.RETRIED_ONCE,
            "They may have expired: log in again, and check the user of the context in the kubeconfig."),
    NAMESPACE_MISSING(
            "no such namespace",
            Then.FINAL,
            "Create it (kubectl apply -k deploy/base), or set outpost.k8s.namespace to one that exists."),
    CONTEXT_MISSING("no such context", Then.FINAL, "Set outpost.k8s.context to one of the kubeconfig."),
    OBJECT_MISSING(
            "no such object", Then.FINAL, "It was deleted, or never made; ./outpost machines list shows what is."),
    API_MISSING(
            "no such API",
            Then.FINAL,
            "Check the server of the context in the kubeconfig, and that the cluster has what is asked for."),
    FIELD_CONFLICT("fields that another manager owns", Then.FINAL, "Leave these fields to it, or delete the object."),
    CONFLICT("conflict (409)", Then.RETRIED, "Somebody else changed the object at the same time."),
    HISTORY_EXPIRED("history expired (410)", Then.RETRIED, "The list is read anew."),
    INVALID("invalid request", Then.FINAL, "Correct what it names in the settings or in outpost.k8s.patch."),
    THROTTLED("throttled (429)", Then.RETRIED, "The server has too much to do."),
    SERVER_ERROR("the server fails (5xx)", Then.RETRIED, "If it stays, ask whoever runs the cluster."),
    HOST_UNKNOWN(
            "unknown host",
            Then.RETRIED,
            "Check the server of the context in the kubeconfig, and the DNS or VPN of this machine."),
    NOT_LISTENING(
            "connection refused",
            Then.RETRIED,
            "Check that the cluster runs, and the server of the context in the kubeconfig."),
    TIMED_OUT("no answer in time", Then.RETRIED, "Check the VPN, proxy or firewall on the way to the cluster."),
    NOT_TRUSTED(
            "certificate not trusted",
            Then.FINAL,
            "Check the certificate authority and the client certificate of the context in the kubeconfig."),
    CONNECTION_LOST("connection lost", Then.RETRIED, "If it stays, check the way to the cluster."),
    FAILED("no answer for another reason", Then.RETRIED, "Check what it names; ./outpost doctor tells more."),
    OTHER("another answer", Then.FINAL, "Ask whoever runs the cluster.");

    private final String title;
    private final Then then;
    private final String remedy;

    ApiSymptom(String title, Then then, String remedy) {
        this.title = title;
        this.then = then;
        this.remedy = remedy;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String remedy() {
        return remedy;
    }

    @Override
    public Then then() {
        return then;
    }

    @Override
    public Phase phase() {
        return Phase.QUEUED;
    }
}
