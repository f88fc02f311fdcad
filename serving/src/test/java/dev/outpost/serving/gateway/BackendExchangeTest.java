package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.rest.client.BackendJson;
import dev.outpost.rest.deployment.GatewayOrders;
import dev.outpost.serving.TestModels;
import dev.outpost.serving.engine.FirstTokenEvents;
import dev.outpost.serving.engine.ServingMetrics;
import dev.outpost.serving.engine.UnavailableException;
import dev.outpost.support.tests.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests exchanges of a gateway with a backend that the test simulates. */
class BackendExchangeTest {
    private static final ObjectMapper MAPPER = BackendJson.mapper();
    private static final String ORDERS = """
            {"deployments": [{"name": "chat", "project": "vision", "wanted": 0, "max": 1, "failures": 0,
             "text": "it starts", "replicas": []}], "complete": true, "takes": ["zeroToToken"]}
            """;

    private static final String FAILING = """
            {"deployments": [{"name": "chat", "project": "vision", "wanted": 1, "max": 1, "failures": 3,
             "text": "it does not start", "replicas": []}], "complete": true}
            """;

    private final ServingMetrics metrics = new ServingMetrics(new SimpleMeterRegistry());
    private final ReplicaSet replicas = new ReplicaSet(
            (deployment, order) -> {
                throw new AssertionError("no replica is ordered");
            },
            metrics);
    private final ColdStartTimer coldStarts = new ColdStartTimer(System::nanoTime);
    private final HeldRequests requests =
            new HeldRequests(TestModels.config(Map.of()), new TestRequest(), replicas, coldStarts, System::nanoTime);
    private final BackendExchange exchange = new BackendExchange(requests, replicas, coldStarts);

    private JsonNode told;

    BackendExchangeTest() {
        metrics.onFirstToken(coldStarts::made);
    }

    @AfterEach
    void close() {
        requests.close();
    }

    /** One exchange; the only deployment of the report, if there is one, is kept in {@link #told}. */
    private void exchange(String answer) {
        exchange.exchange(report -> {
            told = MAPPER.valueToTree(report).path("deployments").path(0);
            return answered(answer);
        });
    }

    private static GatewayOrders answered(String answer) {
        try {
            return MAPPER.readValue(answer, GatewayOrders.class);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Thread waitForReplica() {
        Thread waiting = Thread.ofPlatform().daemon().start(() -> {
            try {
                requests.await("chat");
            } catch (UnavailableException ignored) {
                // The test closes the objects that hold them.
            }
        });
        Await.until("the request waits", () -> {
            exchange(ORDERS);
            return told.path("held").asInt() == 1;
        });
        return waiting;
    }

    /** A proxy or a failing backend may answer like this. */
    @Test
    void timeToTheFirstTokenIsToldAgainIfTheAnswerIsNotABackends() throws InterruptedException {
        exchange(ORDERS);
        Thread waiting = waitForReplica();
        FirstTokenEvents.happen(metrics, "chat");
        List<String> times = new ArrayList<>();
        assertThrows(UncheckedIOException.class, () -> exchange("{}"));
        times.add(told.path("zeroToToken").asText());
        assertThrows(UncheckedIOException.class, () -> exchange("<html>"));
        times.add(told.path("zeroToToken").asText());
        exchange(ORDERS);
        times.add(told.path("zeroToToken").asText());
        assertFalse(times.getFirst().isEmpty());
        assertEquals(List.of(times.getFirst()), times.stream().distinct().toList());
        exchange(ORDERS);
        assertTrue(told.path("zeroToToken").isMissingNode(), "it is told once");
        requests.close();
        Await.ended("the request", waiting);
    }

    @Test
    void endOfTheDemandIsToldUntilTheBackendHasHeardIt() throws InterruptedException {
        exchange(ORDERS);
        Thread waiting = waitForReplica();
        requests.close();
        Await.ended("the request", waiting);
        assertThrows(UncheckedIOException.class, () -> exchange("{}"));
        assertEquals(0, told.path("held").asInt(-1));
        exchange(ORDERS);
        assertEquals(0, told.path("held").asInt(-1));
        exchange(ORDERS);
        assertTrue(told.isMissingNode(), told::toString);
    }

    /** The backend starts a replica only for requests. */
    @Test
    void refusedRequestAsksForAnotherStart() {
        exchange(FAILING);
        assertTrue(told.isMissingNode(), told::toString);
        UnavailableException refused = assertThrows(UnavailableException.class, () -> requests.await("chat"));
        assertEquals("it does not start", refused.getMessage());
        exchange(FAILING);
        assertEquals("chat", told.path("name").asText());
        assertEquals(1, told.path("held").asInt());
    }

    /** Otherwise serving replicas would get no requests until the backend answers. */
    @Test
    void requestsAndTheEndDoNotWaitForABackendThatHangs() throws Exception {
        exchange(FAILING);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        FutureTask<Void> hanging = new FutureTask<>(() -> {
            exchange.exchange(report -> {
                asked.countDown();
                awaitUninterrupted(answers);
                return answered(ORDERS);
            });
            return null;
        });
        Thread.ofPlatform().daemon().start(hanging);
        Await.opened("the backend is asked", asked);
        Await.within("the refusal", () -> assertThrows(UnavailableException.class, () -> requests.await("chat")));
        Await.within("the end", () -> {
            requests.close();
            replicas.close();
        });
        answers.countDown();
        Await.result("the exchange", hanging);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** Without the thread, requests would wait until their deadline. */
    @Test
    void exchangesGoOnAfterADefect() throws InterruptedException {
        Semaphore exchanges = new Semaphore(0);
        exchange.start(
                report -> {
                    exchanges.release();
                    if (exchanges.availablePermits() == 2) {
                        throw new NoClassDefFoundError("dev/outpost/Missing");
                    }
                    return answered(ORDERS);
                },
                names -> {
                    throw new IllegalStateException("defect");
                });
        Await.acquired("exchanges go on", exchanges, 3);
    }
}
