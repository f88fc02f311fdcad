package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.ApiSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.SymptomOutcome;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** An answer of the API server that is not the requested object. */
record ApiAnswer(int code, Status status, String message) {
    private static final Pattern RBAC = Pattern.compile(
            "User \"([^\"]+)\" cannot (\\S+) (?:resource|path) \"([^\"]+)\"(?: in API group \"([^\"]*)\")?"
                    + "( in the namespace \"[^\"]+\"| at the cluster scope)?");

    static ApiAnswer of(KubernetesClientException exception) {
        Status status = Optional.ofNullable(exception.getStatus()).orElseGet(Status::new);
        String message = status.getMessage() == null ? exception.getMessage() : status.getMessage();
        return new ApiAnswer(exception.getCode(), status, RefusalMessages.oneLine(message == null ? "" : message));
    }

    Finding finding() {
        return switch (code) {
            case 401 -> ApiSymptom.UNAUTHORIZED.found("the API server does not accept the credentials: " + message);
            case 403 -> refused();
            case 404 -> missing();
            case 409 -> conflict();
            case 410 ->
                ApiSymptom.HISTORY_EXPIRED.found("the API server no longer has the history asked for: " + message);
            case 400, 422 -> RefusalMessages.of(message).map(this::answered).orElseGet(this::invalid);
            case 408, 429 -> ApiSymptom.THROTTLED.found("the API server asks to wait (" + code + "): " + message);
            default -> code >= 500 ? failed() : other();
        };
    }

    private Finding refused() {
        Matcher matcher = RBAC.matcher(message);
        if (matcher.find()) {
            return forbidden(matcher);
        }
        return RefusalMessages.of(message)
                .map(this::answered)
                .orElseGet(() -> ApiSymptom.REFUSED.found("the API server refuses it: " + message));
    }

    private static Finding forbidden(Matcher matcher) {
        String user = matcher.group(1);
        if (user.equals("system:anonymous")) {
            return ApiSymptom.ANONYMOUS.found(
                    "the API server was given no credentials: it takes this client for " + "system:anonymous");
        }
        String group = matcher.group(4) == null || matcher.group(4).isEmpty() ? "" : "." + matcher.group(4);
        String where = matcher.group(5) == null ? "" : matcher.group(5).replace("\"", "");
        return ApiSymptom.FORBIDDEN.found(
                "forbidden: " + user + " may not " + matcher.group(2) + " " + matcher.group(3) + group + where);
    }

    private Finding missing() {
        Optional<StatusDetails> details = Optional.ofNullable(status.getDetails());
        String name = details.map(StatusDetails::getName).orElse("");
        String kind = details.map(StatusDetails::getKind).orElse("");
        if (kind.equals("namespaces") && !name.isEmpty()) {
            return ApiSymptom.NAMESPACE_MISSING.found("no such namespace: " + name);
        }
        return name.isEmpty()
                ? ApiSymptom.API_MISSING.found("the API server does not know the requested resource: " + message)
                : ApiSymptom.OBJECT_MISSING.found("no such object: " + message.replaceFirst(" not found$", ""));
    }

    /** Returns the finding of a conflict. A retry does not help if another field manager owns the fields. */
    private Finding conflict() {
        return causes().stream().anyMatch(cause -> "FieldManagerConflict".equals(cause.getReason()))
                ? ApiSymptom.FIELD_CONFLICT.found("another field manager owns the applied fields: " + message)
                : ApiSymptom.CONFLICT.found("the object was changed meanwhile: " + message);
    }

    private Finding invalid() {
        String fields = causes().stream()
                .map(cause -> cause.getField() + ": " + cause.getMessage())
                .collect(Collectors.joining(", "));
        return ApiSymptom.INVALID.found(
                "the API server calls the request invalid: " + (fields.isEmpty() ? message : fields));
    }

    private Finding failed() {
        return RefusalMessages.of(message)
                .map(this::answered)
                .orElseGet(() -> ApiSymptom.SERVER_ERROR.found("the API server failed (" + code + "): " + message));
    }

    private Finding other() {
        return ApiSymptom.OTHER.found("the API server answered " + code + ": " + message);
    }

    /** Returns the finding of a refusal with its outcome: final, or retried if a failure of the server caused it. */
    private Finding answered(Finding refusal) {
        return refusal.followedBy(code >= 500 ? SymptomOutcome.RETRIED : SymptomOutcome.FINAL);
    }

    private List<StatusCause> causes() {
        return Optional.ofNullable(status.getDetails())
                .map(StatusDetails::getCauses)
                .orElse(List.of());
    }
}
