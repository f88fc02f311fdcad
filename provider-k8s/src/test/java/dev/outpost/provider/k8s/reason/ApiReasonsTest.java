package dev.outpost.provider.k8s.reason;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.reason.ApiProblem.Retry;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("quick")
class ApiReasonsTest {
    static List<ApiCase> cases() {
        return ApiCases.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aFailureHasItsSentence(ApiCase expected) {
        assertEquals(expected.symptom(), ApiReasons.finding(expected.failure()).symptom());
        assertEquals(
                new ApiProblem(expected.what(), expected.symptom().remedy(), expected.retry(), Optional.empty()),
                ApiReasons.of(expected.failure()));
        assertEquals(expected.sentence(), ApiReasons.sentence(expected.failure()));
        assertEquals(expected.retry() == Retry.YES, ApiReasons.mayPass(expected.failure()));
    }

    @Test
    void theServerSaysHowLongToWait() {
        ApiProblem problem = ApiReasons.of(ApiCase.thrown(ApiCase.status(429, "TooManyRequests", "wait")
                .withNewDetails()
                .withRetryAfterSeconds(7)
                .endDetails()
                .build()));
        assertEquals(Optional.of(Duration.ofSeconds(7)), problem.after());
    }

    /** The client would take the current context instead. */
    @Test
    void aContextThatDoesNotExistIsNoticed() {
        assertEquals(
                "no such context: prd; the kubeconfig has dev, prod. Set outpost.k8s.context to one of the kubeconfig.",
                ApiReasons.missingContext("prd", ApiCases.kubeconfig())
                        .orElseThrow()
                        .sentence());
    }

    @Test
    void aContextThatExistsIsNoProblem() {
        assertTrue(ApiReasons.missingContext("dev", ApiCases.kubeconfig()).isEmpty());
        assertTrue(ApiReasons.missingContext("", ApiCases.kubeconfig()).isEmpty());
    }

    @Test
    void withoutACurrentContextThereIsNoCluster() {
        assertEquals(
                "no current context; the kubeconfig has none. Set outpost.k8s.context to one of the kubeconfig.",
                ApiReasons.missingContext("", Config.empty()).orElseThrow().sentence());
        Config inAPod = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://10.96.0.1:443")
                .build();
        assertTrue(ApiReasons.missingContext("", inAPod).isEmpty());
    }
}
