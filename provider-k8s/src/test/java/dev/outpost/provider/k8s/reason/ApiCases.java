package dev.outpost.provider.k8s.reason;

import static dev.outpost.provider.k8s.reason.ApiCase.answer;
import static dev.outpost.provider.k8s.reason.ApiCase.status;
import static dev.outpost.provider.k8s.reason.ApiCase.thrown;
import static dev.outpost.provider.k8s.reason.ApiCase.wrapped;

import dev.outpost.provider.k8s.reason.ApiProblem.Retry;
import dev.outpost.provider.k8s.reason.symptom.AdmissionSymptom;
import dev.outpost.provider.k8s.reason.symptom.ApiSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Answers of the API server, and failures of the connection to it. */
final class ApiCases {
    private ApiCases() {}

    static List<ApiCase> all() {
        return Stream.of(refused(), asked(), later(), unreached())
                .flatMap(List::stream)
                .toList();
    }

    private static List<ApiCase> refused() {
        return List.of(
                new ApiCase(
                        "rbac",
                        answer(
                                403,
                                "Forbidden",
                                "jobs.batch \"x\" is forbidden: User \"system:serviceaccount:apps:worker\" cannot patch"
                                        + " resource \"jobs\" in API group \"batch\" in the namespace \"outpost\""),
                        ApiSymptom.FORBIDDEN,
                        Retry.BRIEFLY,
                        "forbidden: system:serviceaccount:apps:worker may not patch jobs.batch in the namespace"
                                + " outpost"),
                new ApiCase(
                        "rbac-subresource",
                        answer(
                                403,
                                "Forbidden",
                                "pods \"x\" is forbidden: User \"ada\" cannot create resource"
                                        + " \"pods/portforward\" in API"
                                        + " group \"\" in the namespace \"outpost\""),
                        ApiSymptom.FORBIDDEN,
                        Retry.BRIEFLY,
                        "forbidden: ada may not create pods/portforward in the namespace outpost"),
                new ApiCase(
                        "rbac-cluster",
                        answer(
                                403,
                                "Forbidden",
                                "nodes is forbidden: User \"ada\" cannot list resource \"nodes\" in API group"
                                        + " \"\" at the"
                                        + " cluster scope"),
                        ApiSymptom.FORBIDDEN,
                        Retry.BRIEFLY,
                        "forbidden: ada may not list nodes at the cluster scope"),
                new ApiCase(
                        "anonymous",
                        answer(
                                403,
                                "Forbidden",
                                "jobs.batch is forbidden: User \"system:anonymous\" cannot list resource"
                                        + " \"jobs\" in API"
                                        + " group \"batch\" in the namespace \"outpost\""),
                        ApiSymptom.ANONYMOUS,
                        Retry.NEVER,
                        "the API server was given no credentials: it takes this client for system:anonymous"),
                new ApiCase(
                        "quota",
                        answer(
                                403,
                                "Forbidden",
                                "jobs.batch \"x\" is forbidden: exceeded quota: objects, requested: count/jobs.batch=1,"
                                        + " used: count/jobs.batch=10, limited: count/jobs.batch=10"),
                        AdmissionSymptom.QUOTA_USED_UP,
                        Retry.NEVER,
                        "the quota objects of the namespace is used up: asked for count/jobs.batch=1, used"
                                + " count/jobs.batch=10, allowed count/jobs.batch=10"),
                new ApiCase(
                        "webhook",
                        answer(
                                400,
                                "BadRequest",
                                "admission webhook \"validate.kyverno.svc-fail\" denied the request: no owner label"),
                        AdmissionSymptom.WEBHOOK_DENIED,
                        Retry.NEVER,
                        "the admission webhook validate.kyverno.svc-fail denies it: no owner label"),
                new ApiCase(
                        "refused",
                        answer(403, "Forbidden", "the request was blocked by the gateway"),
                        ApiSymptom.REFUSED,
                        Retry.BRIEFLY,
                        "the API server refuses it: the request was blocked by the gateway"),
                new ApiCase(
                        "unauthorized",
                        answer(401, "Unauthorized", "Unauthorized"),
                        ApiSymptom.UNAUTHORIZED,
                        Retry.ONCE,
                        "the API server does not accept the credentials: Unauthorized"));
    }

    private static List<ApiCase> asked() {
        return List.of(
                new ApiCase(
                        "namespace",
                        answer(404, "NotFound", "namespaces \"outpots\" not found", "namespaces", "outpots"),
                        ApiSymptom.NAMESPACE_MISSING,
                        Retry.NEVER,
                        "no such namespace: outpots"),
                new ApiCase(
                        "object",
                        answer(404, "NotFound", "jobs.batch \"x\" not found", "jobs", "x"),
                        ApiSymptom.OBJECT_MISSING,
                        Retry.NEVER,
                        "no such object: jobs.batch \"x\""),
                new ApiCase(
                        "api",
                        answer(404, "NotFound", "the server could not find the requested resource"),
                        ApiSymptom.API_MISSING,
                        Retry.NEVER,
                        "the API server does not know the requested resource: the server could not find the requested"
                                + " resource"),
                new ApiCase(
                        "invalid",
                        answer(
                                422,
                                "Invalid",
                                "Job.batch \"x\" is invalid: spec.activeDeadlineSeconds: Invalid value: -1: must be"
                                        + " greater than or equal to 0"),
                        AdmissionSymptom.OBJECT_INVALID,
                        Retry.NEVER,
                        "the API server calls the Job invalid: spec.activeDeadlineSeconds: Invalid value: -1: must be"
                                + " greater than or equal to 0"),
                new ApiCase(
                        "invalid-fields",
                        thrown(status(422, "Invalid", "ApplyPatch is not acceptable")
                                .withNewDetails()
                                .addNewCause(
                                        "spec.template.spec.containers[0].image",
                                        "Required value",
                                        "FieldValueRequired")
                                .endDetails()
                                .build()),
                        ApiSymptom.INVALID,
                        Retry.NEVER,
                        "the API server calls the request invalid: spec.template.spec.containers[0].image: Required"
                                + " value"),
                new ApiCase(
                        "field-conflict",
                        thrown(status(
                                        409,
                                        "Conflict",
                                        "Apply failed with 1 conflict: conflict with \"kubectl\" using batch/v1:"
                                                + " .spec.ttlSecondsAfterFinished")
                                .withNewDetails()
                                .addNewCause(
                                        ".spec.ttlSecondsAfterFinished",
                                        "conflict with \"kubectl\"",
                                        "FieldManagerConflict")
                                .endDetails()
                                .build()),
                        ApiSymptom.FIELD_CONFLICT,
                        Retry.NEVER,
                        "another field manager owns the applied fields: Apply failed with 1 conflict: conflict with"
                                + " \"kubectl\" using batch/v1: .spec.ttlSecondsAfterFinished"),
                new ApiCase(
                        "another-answer",
                        answer(405, "MethodNotAllowed", "the server does not allow this method"),
                        ApiSymptom.OTHER,
                        Retry.NEVER,
                        "the API server answered 405: the server does not allow this method"));
    }

    private static List<ApiCase> later() {
        return List.of(
                new ApiCase(
                        "conflict",
                        answer(
                                409,
                                "Conflict",
                                "Operation cannot be fulfilled on jobs.batch \"x\": the object has been modified"),
                        ApiSymptom.CONFLICT,
                        Retry.YES,
                        "the object was changed meanwhile: Operation cannot be fulfilled on jobs.batch \"x\":"
                                + " the object"
                                + " has been modified"),
                new ApiCase(
                        "history",
                        answer(410, "Expired", "too old resource version: 12 (4711)"),
                        ApiSymptom.HISTORY_EXPIRED,
                        Retry.YES,
                        "the API server no longer has the history asked for: too old resource version: 12 (4711)"),
                new ApiCase(
                        "throttled",
                        answer(429, "TooManyRequests", "Too many requests, please try again later."),
                        ApiSymptom.THROTTLED,
                        Retry.YES,
                        "the API server asks to wait (429): Too many requests, please try again later."),
                new ApiCase(
                        "error",
                        answer(500, "InternalError", "Internal error occurred: etcdserver: request timed out"),
                        ApiSymptom.SERVER_ERROR,
                        Retry.YES,
                        "the API server failed (500): Internal error occurred: etcdserver: request timed out"),
                new ApiCase(
                        "webhook-down",
                        answer(
                                500,
                                "InternalError",
                                "Internal error occurred: failed calling webhook \"mjob.kb.io\": no endpoints"
                                        + " available for"
                                        + " service \"kueue-webhook-service\""),
                        AdmissionSymptom.WEBHOOK_DOWN,
                        Retry.YES,
                        "the admission webhook mjob.kb.io does not answer: no endpoints available for service"
                                + " \"kueue-webhook-service\""),
                new ApiCase(
                        "bad-gateway",
                        new KubernetesClientException("Bad Gateway", 502, null),
                        ApiSymptom.SERVER_ERROR,
                        Retry.YES,
                        "the API server failed (502): Bad Gateway"),
                new ApiCase(
                        "unavailable",
                        answer(503, "ServiceUnavailable", "apiserver is shutting down"),
                        ApiSymptom.SERVER_ERROR,
                        Retry.YES,
                        "the API server failed (503): apiserver is shutting down"),
                new ApiCase(
                        "gateway-timeout",
                        answer(504, "Timeout", "request did not complete within the allotted timeout")
                                .copyAsCause(),
                        ApiSymptom.SERVER_ERROR,
                        Retry.YES,
                        "the API server failed (504): request did not complete within the allotted timeout"));
    }

    private static List<ApiCase> unreached() {
        return List.of(
                new ApiCase(
                        "unknown-host",
                        wrapped(new IOException(new UnknownHostException("api.nowhere.example"))),
                        ApiSymptom.HOST_UNKNOWN,
                        Retry.YES,
                        "the API server's host is not known: api.nowhere.example"),
                new ApiCase(
                        "connection-refused",
                        wrapped(new ConnectException("Connection refused: localhost/127.0.0.1:6443")),
                        ApiSymptom.NOT_LISTENING,
                        Retry.YES,
                        "the API server takes no connections: Connection refused: localhost/127.0.0.1:6443"),
                new ApiCase(
                        "no-route",
                        wrapped(new NoRouteToHostException("No route to host: /10.0.0.9:6443")),
                        ApiSymptom.NOT_LISTENING,
                        Retry.YES,
                        "the API server takes no connections: No route to host: /10.0.0.9:6443"),
                new ApiCase(
                        "connect-timeout",
                        wrapped(new ConnectException("connection timed out: /10.0.0.9:6443")),
                        ApiSymptom.TIMED_OUT,
                        Retry.YES,
                        "the API server does not answer: connection timed out: /10.0.0.9:6443"),
                new ApiCase(
                        "read-timeout",
                        wrapped(new SocketTimeoutException("timeout")),
                        ApiSymptom.TIMED_OUT,
                        Retry.YES,
                        "the API server does not answer: timeout"),
                new ApiCase(
                        "request-timeout",
                        wrapped(new ExecutionException(new TimeoutException())),
                        ApiSymptom.TIMED_OUT,
                        Retry.YES,
                        "the API server does not answer: TimeoutException"),
                new ApiCase(
                        "certificate",
                        wrapped(new IOException(new SSLHandshakeException("PKIX path building failed")
                                .initCause(new CertificateException("unable to find valid certification path")))),
                        ApiSymptom.NOT_TRUSTED,
                        Retry.NEVER,
                        "the API server's certificate is not trusted: unable to find valid certification path"),
                new ApiCase(
                        "alert",
                        wrapped(new SSLException("Received fatal alert: bad_certificate")),
                        ApiSymptom.NOT_TRUSTED,
                        Retry.NEVER,
                        "the API server does not accept the client's certificate: Received fatal alert: bad_certificate"),
                new ApiCase(
                        "alert-of-the-authority",
                        wrapped(new SSLHandshakeException("(unknown_ca) Received fatal alert: unknown_ca")),
                        ApiSymptom.NOT_TRUSTED,
                        Retry.NEVER,
                        "the API server does not accept the client's certificate: (unknown_ca) Received fatal alert:"
                                + " unknown_ca"),
                new ApiCase(
                        "alert-of-something-else",
                        wrapped(new SSLHandshakeException("Received fatal alert: internal_error")),
                        ApiSymptom.CONNECTION_LOST,
                        Retry.YES,
                        "the connection to the API server was lost: Received fatal alert: internal_error"),
                new ApiCase(
                        "end-that-speaks-of-certificates",
                        wrapped(new SSLException("closed before the certificate was read", new EOFException("end"))),
                        ApiSymptom.CONNECTION_LOST,
                        Retry.YES,
                        "the connection to the API server was lost: end"),
                new ApiCase(
                        "handshake-broken-off",
                        wrapped(new SSLHandshakeException("Remote host terminated the handshake")),
                        ApiSymptom.CONNECTION_LOST,
                        Retry.YES,
                        "the connection to the API server was lost: Remote host terminated the handshake"),
                new ApiCase(
                        "connection-closed",
                        wrapped(new RuntimeException("Connection was closed")),
                        ApiSymptom.CONNECTION_LOST,
                        Retry.YES,
                        "the connection to the API server was lost: Connection was closed"),
                new ApiCase(
                        "not-of-the-network",
                        new KubernetesClientException("kubeconfig: user ada: exec: the program aws ended"),
                        ApiSymptom.FAILED,
                        Retry.YES,
                        "the request failed: kubeconfig: user ada: exec: the program aws ended"));
    }

    /** The finding before any request. */
    static Finding missingContext() {
        return ApiReasons.contextMissing("prd", kubeconfig());
    }

    static Config kubeconfig() {
        return Config.fromKubeconfig("""
                apiVersion: v1
                kind: Config
                current-context: prod
                contexts:
                - name: prod
                  context: {cluster: c, user: u}
                - name: dev
                  context: {cluster: c, user: u}
                """);
    }
}
