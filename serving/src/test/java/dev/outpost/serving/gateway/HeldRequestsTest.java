package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.inference.QueueFullException;
import dev.outpost.rest.deployment.GatewayOrders.DeploymentOrder;
import dev.outpost.serving.TestModels;
import dev.outpost.serving.engine.ServingMetrics;
import dev.outpost.serving.engine.UnavailableException;
import dev.outpost.serving.engine.UnknownModelException;
import dev.outpost.support.tests.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests requests of a deployment without replicas, with a clock that the test sets. */
class HeldRequestsTest {
    private final AtomicLong now = new AtomicLong();
    private final TestRequest request = new TestRequest();
    private final ColdStartTimer coldStarts = new ColdStartTimer(now::get);
    private final HeldRequests requests = new HeldRequests(
            TestModels.config(Map.of("waiting", "1", "deadline", "60s")),
            request,
            new ReplicaSet(
                    (deployment, order) -> {
                        throw new AssertionError("no replica is ordered");
                    },
                    new ServingMetrics(new SimpleMeterRegistry())),
            coldStarts,
            now::get);

    @AfterEach
    void close() {
        requests.close();
    }

    private void accept(int max, int failures) {
        DeploymentOrder chat = new DeploymentOrder("chat", "vision", 0, max, failures, "it starts", List.of());
        requests.accept(new DesiredDeployments(Map.of("chat", chat), true, true));
    }

    /** Starts a request that is held; the future completes with the reason of its refusal. */
    private CompletableFuture<RuntimeException> held() {
        CompletableFuture<RuntimeException> end = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> end.complete(assertThrows(RuntimeException.class, () -> requests.await("chat"))));
        Await.until("the request is held", () -> requests.demand().equals(Map.of("chat", 1)));
        return end;
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
        requests.wake();
    }

    private static void assertRefused(String why, CompletableFuture<RuntimeException> end) throws Exception {
        RuntimeException refused = Await.result("the request is refused", end);
        assertEquals(why, assertInstanceOf(UnavailableException.class, refused).getMessage());
    }

    @Test
    void requestIsRefusedAtItsDeadline() throws Exception {
        accept(1, 0);
        CompletableFuture<RuntimeException> end = held();
        pass(Duration.ofSeconds(29));
        accept(1, 0);
        pass(Duration.ofSeconds(29));
        assertEquals(Map.of("chat", 1), requests.demand());
        accept(1, 0);
        pass(Duration.ofSeconds(2));
        assertRefused("no replica served in time: it starts", end);
        Await.until("no request is held", () -> requests.demand().isEmpty());
    }

    @Test
    void requestIsRefusedIfTheBackendIsAway() throws Exception {
        accept(1, 0);
        CompletableFuture<RuntimeException> end = held();
        pass(Duration.ofSeconds(31));
        assertRefused("no replica serves, and the backend has not answered for 31 s", end);
    }

    @Test
    void requestIsRefusedIfItsClientHasGone() throws Exception {
        accept(1, 0);
        CompletableFuture<RuntimeException> end = held();
        request.isGone = true;
        requests.wake();
        assertRefused("the client has gone", end);
    }

    @Test
    void closingRefusesRequests() throws Exception {
        accept(1, 0);
        CompletableFuture<RuntimeException> end = held();
        requests.close();
        assertRefused("the gateway is shutting down", end);
    }

    @Test
    void requestOfADeploymentThatIsRemovedIsUnknown() throws Exception {
        accept(1, 0);
        CompletableFuture<RuntimeException> end = held();
        accept(0, 0);
        assertInstanceOf(UnknownModelException.class, Await.result("the request is refused", end));
    }

    /** Otherwise the backend would not start the deployment again. */
    @Test
    void refusedRequestIsDemandUntilItsCallerMayTryAgain() throws Exception {
        accept(1, 0);
        CompletableFuture<RuntimeException> end = held();
        accept(1, 3);
        assertRefused("it starts", end);
        assertEquals(Map.of("chat", 1), requests.demand());
        pass(Duration.ofSeconds(6));
        Await.until("there is no demand", () -> requests.demand().isEmpty());
    }

    @Test
    void moreRequestsThanMayWaitAreRefused() throws Exception {
        accept(1, 0);
        CompletableFuture<RuntimeException> end = held();
        assertThrows(QueueFullException.class, () -> requests.await("chat"));
        assertEquals(Map.of("chat", 1), requests.demand());
        requests.close();
        assertRefused("the gateway is shutting down", end);
    }

    /** Otherwise a later token of a replica would be measured from the time of the refused request. */
    @Test
    void lastRefusedRequestEndsTheColdStart() throws Exception {
        accept(1, 0);
        CompletableFuture<RuntimeException> end = held();
        requests.close();
        assertRefused("the gateway is shutting down", end);
        coldStarts.made("chat");
        assertEquals(Optional.empty(), coldStarts.take("chat"));
    }
}
