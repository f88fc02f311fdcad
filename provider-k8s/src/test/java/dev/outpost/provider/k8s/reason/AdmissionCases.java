package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.AdmissionSymptom;
import java.util.List;

/** The pod is refused. */
final class AdmissionCases {
    private AdmissionCases() {}

    static List<PodCase> all() {
        return List.of(
                PodCase.of(
                        "pod-security",
                        AdmissionSymptom.POD_SECURITY,
                        "the namespace's Pod Security level restricted:latest forbids it: "
                                + "allowPrivilegeEscalation != false (container \"machine\" must set "
                                + "securityContext.allowPrivilegeEscalation=false)"),
                PodCase.of(
                        "policy-denied",
                        AdmissionSymptom.WEBHOOK_DENIED,
                        "the admission policy images denies it: images come from registry.example.com"),
                PodCase.of(
                        "webhook-denied",
                        AdmissionSymptom.WEBHOOK_DENIED,
                        "the admission webhook validate.kyverno.svc-fail denies it: resource Pod/outpost "
                                + "was blocked: require-team-label: the label team is required"),
                PodCase.of(
                        "webhook-down",
                        AdmissionSymptom.WEBHOOK_DOWN,
                        "the admission webhook pods.example.com does not answer: failed to call webhook: "
                                + "Post \"https://hook.policy.svc:443/pods?timeout=10s\": dial tcp 10.0.12.7:443: "
                                + "connect: connection refused"),
                PodCase.of(
                        "quota-used-up",
                        AdmissionSymptom.QUOTA_USED_UP,
                        "the quota gpus of the namespace is used up: asked for requests.nvidia.com/gpu=1, "
                                + "used requests.nvidia.com/gpu=4, allowed requests.nvidia.com/gpu=4"),
                PodCase.of(
                        "quota-of-the-namespace-too-small",
                        AdmissionSymptom.QUOTA_TOO_SMALL,
                        "the quota gpus of the namespace can never hold the machine: asked for "
                                + "requests.nvidia.com/gpu=1, allowed requests.nvidia.com/gpu=0"),
                PodCase.of(
                        "quota-wants-limits",
                        AdmissionSymptom.QUOTA_WANTS_LIMITS,
                        "the quota compute of the namespace wants every container to state limits.cpu for: "
                                + "machine"),
                PodCase.of(
                        "limit-range",
                        AdmissionSymptom.LIMIT_RANGE,
                        "the namespace's LimitRange forbids it: maximum memory usage per Container is 8Gi, "
                                + "but limit is 16Gi"),
                PodCase.of(
                        "service-account-missing",
                        AdmissionSymptom.SERVICE_ACCOUNT_MISSING,
                        "no such service account: outpost/machine"),
                PodCase.of(
                        "runtime-class-missing",
                        AdmissionSymptom.RUNTIME_CLASS_MISSING,
                        "no such runtime class: nvidia"),
                PodCase.of(
                        "priority-class-missing",
                        AdmissionSymptom.PRIORITY_CLASS_MISSING,
                        "no such priority class: research"),
                PodCase.of(
                        "namespace-ending",
                        AdmissionSymptom.NAMESPACE_ENDING,
                        "the namespace outpost is being deleted"),
                PodCase.of(
                        "pod-invalid",
                        AdmissionSymptom.OBJECT_INVALID,
                        "the API server calls the Pod invalid: spec.containers[0].resources.requests: "
                                + "Invalid value: \"32Gi\": must be less than or equal to memory limit of 16Gi"),
                PodCase.of(
                        "refused",
                        AdmissionSymptom.REFUSED,
                        "the pod cannot be created: the server is currently unable to handle the request"));
    }
}
