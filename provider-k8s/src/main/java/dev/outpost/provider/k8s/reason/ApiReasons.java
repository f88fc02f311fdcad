package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.ApiSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.SymptomOutcome;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Optional;

/** Interprets failed requests to the API server, and decides if they are retried. */
public final class ApiReasons {
    private ApiReasons() {}

    /** Interprets an exception, including its causes. */
    public static ApiProblem of(Throwable failure) {
        return problem(finding(failure), retryAfter(failure));
    }

    /** Returns the problem and the remedy. */
    public static String sentence(Throwable failure) {
        return of(failure).sentence();
    }

    /** Returns true if the request may be retried for as long as the caller is willing to wait. */
    public static boolean mayPass(Throwable failure) {
        return of(failure).retry() == ApiProblem.Retry.YES;
    }

    /**
     * Returns a problem if the client's configuration lacks the requested context, or the current one if none was requested. Without this
     * check, the client would silently use another cluster: the cluster of the current context, or the address that a cluster has for its
     * own pods.
     *
     * @param wanted the context of the settings; empty for the current one
     */
    public static Optional<ApiProblem> missingContext(String wanted, Config config) {
        boolean there = wanted.isEmpty()
                ? namesServer(config)
                : config.getContexts().stream().anyMatch(context -> wanted.equals(context.getName()));
        return there ? Optional.empty() : Optional.of(problem(contextMissing(wanted, config), Optional.empty()));
    }

    static Finding contextMissing(String wanted, Config config) {
        String known = String.join(
                ", ",
                config.getContexts().stream()
                        .map(context -> context.getName())
                        .sorted()
                        .toList());
        return ApiSymptom.CONTEXT_MISSING.found((wanted.isEmpty() ? "no current context" : "no such context: " + wanted)
                + "; the kubeconfig has " + (known.isEmpty() ? "none" : known));
    }

    /**
     * Returns true if the configuration names a server. It does not if the current context of the kubeconfig does not exist, or if
     * there is no kubeconfig outside of a pod.
     */
    private static boolean namesServer(Config config) {
        return config.getCurrentContext() != null || !config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL);
    }

    static Finding finding(Throwable failure) {
        return answer(failure).map(ApiAnswer::finding).orElseGet(() -> ConnectionFailure.finding(failure));
    }

    private static ApiProblem problem(Finding finding, Optional<Duration> after) {
        return new ApiProblem(finding.what(), finding.symptom().remedy(), retry(finding.outcome()), after);
    }

    private static ApiProblem.Retry retry(SymptomOutcome outcome) {
        return switch (outcome) {
            case RETRIED -> ApiProblem.Retry.YES;
            case RETRIED_ONCE -> ApiProblem.Retry.ONCE;
            case RETRIED_BRIEFLY -> ApiProblem.Retry.BRIEFLY;
            case GOES_ON, WAITS, FINAL, FINAL_WHEN_REPEATED, ENDS, ENDS_IDLE -> ApiProblem.Retry.NEVER;
        };
    }

    private static Optional<Duration> retryAfter(Throwable failure) {
        return answer(failure)
                .map(ApiAnswer::status)
                .map(Status::getDetails)
                .map(StatusDetails::getRetryAfterSeconds)
                .map(Duration::ofSeconds);
    }

    /** Returns the answer of the server, if it sent one. */
    private static Optional<ApiAnswer> answer(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof KubernetesClientException answered && answered.getCode() > 0) {
                return Optional.of(ApiAnswer.of(answered));
            }
        }
        return Optional.empty();
    }
}
