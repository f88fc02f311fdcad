package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.ApiProblem.Retry;
import dev.outpost.provider.k8s.reason.symptom.Symptom;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * The meaning of a failed request.
 *
 * @param what the sentence without the remedy, which the symptom defines
 */
record ApiCase(String name, Throwable failure, Symptom symptom, Retry retry, String what) {

    /** The server's answer, as the client throws it. */
    static KubernetesClientException answer(int code, String reason, String message) {
        return thrown(status(code, reason, message).build());
    }

    /** The server's answer about one object. */
    static KubernetesClientException answer(int code, String reason, String message, String kind, String name) {
        return thrown(status(code, reason, message)
                .withNewDetails()
                .withKind(kind)
                .withName(name)
                .endDetails()
                .build());
    }

    static StatusBuilder status(int code, String reason, String message) {
        return new StatusBuilder()
                .withStatus("Failure")
                .withCode(code)
                .withReason(reason)
                .withMessage(message);
    }

    static KubernetesClientException thrown(Status status) {
        String call =
                "Failure executing: PATCH at: https://10.96.0.1/apis/batch/v1/namespaces/outpost/jobs/x. Message: ";
        return new KubernetesClientException(call + status.getMessage(), status.getCode(), status);
    }

    /** The exception of the client for a connection that failed. */
    static KubernetesClientException wrapped(Throwable cause) {
        return new KubernetesClientException("An error has occurred.", cause);
    }

    String sentence() {
        return what + (what.endsWith(".") ? "" : ".") + " " + symptom.remedy();
    }

    @Override
    public String toString() {
        return name;
    }
}
