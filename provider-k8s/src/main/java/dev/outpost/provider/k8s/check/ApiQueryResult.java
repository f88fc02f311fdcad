package dev.outpost.provider.k8s.check;

import dev.outpost.provider.k8s.reason.ApiProblem;
import dev.outpost.provider.k8s.reason.ApiReasons;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** The result of a question to the API server: an answer or a problem. */
sealed interface ApiQueryResult<T> {

    /** The answer. */
    record Told<T>(T value) implements ApiQueryResult<T> {
        public Told {
            Objects.requireNonNull(value, "value");
        }
    }

    /** The problem, if the request failed. */
    record Kept<T>(ApiProblem problem, int code) implements ApiQueryResult<T> {
        boolean isForbidden() {
            return code == 403;
        }

        boolean isMissing() {
            return code == 404;
        }
    }

    /** Returns the answer; empty if there was a problem. */
    default Optional<T> answer() {
        return this instanceof Told<T> told ? Optional.of(told.value()) : Optional.empty();
    }

    static <T> ApiQueryResult<T> to(Supplier<T> question) {
        try {
            return new Told<>(question.get());
        } catch (KubernetesClientException failure) {
            return new Kept<>(ApiReasons.of(failure), failure.getCode());
        }
    }
}
