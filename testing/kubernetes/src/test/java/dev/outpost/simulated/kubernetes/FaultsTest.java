package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.simulated.kubernetes.api.ApiFaults;
import dev.outpost.simulated.kubernetes.api.Fault;
import dev.outpost.simulated.kubernetes.api.Verb;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests failures of the API. */
class FaultsTest {
    private final TestCluster cluster = TestCluster.start();
    private final ApiFaults faults = cluster.faults();
    private final KubernetesClient client = client(0);

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    static Stream<Map.Entry<Fault, Integer>> refusals() {
        return Map.of(
                Fault.tooManyRequests(Duration.ofSeconds(1)), 429,
                Fault.internalError(), 500,
                Fault.conflict(), 409,
                Fault.expired(), 410,
                Fault.unauthorized(), 401,
                Fault.forbidden("jobs", "exceeded quota: jobs"), 403)
                .entrySet()
                .stream();
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusalMeetsOneRequest(Map.Entry<Fault, Integer> refusal) {
        ApiFaults.Injected injected = faults.inject(refusal.getKey().on(Verb.LIST, "pods"));
        client.configMaps().list();
        assertEquals(0, injected.met());
        KubernetesClientException refused = assertThrows(
                KubernetesClientException.class, () -> client.pods().list());
        assertEquals(refusal.getValue(), refused.getCode());
        assertEquals(1, injected.met());
        client.pods().list();
    }

    @Test
    void aClientWithPatienceComesBackLater() {
        faults.inject(Fault.tooManyRequests(Duration.ZERO).on(Verb.LIST, "pods").times(2));
        try (KubernetesClient patient = client(5)) {
            patient.pods().list();
        }
        assertEquals(3, cluster.requests().of(Verb.LIST, "pods"));
    }

    @Test
    void requestWithALostAnswerTakesEffect() {
        faults.inject(Fault.loseAnswer().on(Verb.PATCH, "jobs"));
        SampleMachine machine = new SampleMachine(client);
        assertThrows(KubernetesClientException.class, () -> machine.apply(SampleMachine.job()));
        assertEquals(1, cluster.made("jobs"));
        machine.apply(SampleMachine.job());
        assertEquals(1, cluster.made("jobs"));
    }

    @Test
    void brokenRequestHasNoEffect() {
        faults.inject(Fault.hangUp().on(Verb.PATCH, "jobs"));
        SampleMachine machine = new SampleMachine(client);
        assertThrows(KubernetesClientException.class, () -> machine.apply(SampleMachine.job()));
        assertEquals(0, cluster.made("jobs"));
    }

    @Test
    void answersCanBeSlow() {
        faults.inject(Fault.slow(Duration.ofMillis(150)));
        long start = System.nanoTime();
        client.pods().list();
        assertTrue(System.nanoTime() - start >= Duration.ofMillis(150).toNanos());
    }

    @Test
    void theServerGoesAwayAndComesBackToItsPort() {
        client.pods().list();
        faults.goAway();
        // Earlier connections may not have been noticed as closed yet, so the first calls may break on one of them.
        ClusterAwait.until("a new connection is refused", () -> {
            KubernetesClientException failed = assertThrows(
                    KubernetesClientException.class, () -> client.pods().list());
            return Stream.iterate((Throwable) failed, Objects::nonNull, Throwable::getCause)
                    .anyMatch(ConnectException.class::isInstance);
        });
        cluster.client().pods().list();
        faults.comeBack();
        client.pods().list();
    }

    @Test
    void aTokenThatWasReplacedIsNotGoodAnyMore() {
        client.pods().list();
        faults.rotateToken();
        KubernetesClientException refused = assertThrows(
                KubernetesClientException.class, () -> client.pods().list());
        assertEquals(401, refused.getCode());
        try (KubernetesClient fresh = client(0)) {
            fresh.pods().list();
        }
    }

    @Test
    void theClockCanBeWrong() {
        faults.skewClock(Duration.ofMinutes(-1));
        SampleMachine machine = new SampleMachine(client);
        Instant made = Instant.parse(machine.start().getMetadata().getCreationTimestamp());
        Duration behind = Duration.between(made, Instant.now());
        assertTrue(
                behind.compareTo(Duration.ofSeconds(59)) >= 0 && behind.compareTo(Duration.ofSeconds(70)) < 0,
                behind::toString);
        Event event = ClusterAwait.present(
                "there is an event",
                () -> client.v1().events().list().getItems().stream().findFirst());
        assertTrue(
                Instant.parse(event.getFirstTimestamp()).isBefore(Instant.now().minusSeconds(58)));
    }

    private KubernetesClient client(int retries) {
        Config config = new ConfigBuilder(cluster.config())
                .withRequestRetryBackoffLimit(retries)
                .withRequestRetryBackoffInterval(10)
                .build();
        return ClusterConnection.client(config);
    }
}
