package dev.outpost.system.backend.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.GatewayProcess;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a gateway whose backend hangs, and one whose clients disconnect. */
class GatewayWithoutBackendTest {
    @Test
    void answerThatBeginsAndDoesNotEndFailsInTime() {
        try (HangingBackend backend = HangingBackend.start()) {
            backend.hangFromNowOn();
            BackendClient client = new BackendClient(backend.access()).within(Duration.ofMillis(300));
            BackendException late =
                    Assertions.assertThrows(BackendException.class, () -> client.get("/v1/deployments"));
            assertTrue(late.isRetryable() && late.getMessage().contains("300 ms"), late.getMessage());
        }
    }

    @Test
    void requestOfAClientThatHungUpIsHeldNoLonger() {
        try (HangingBackend backend = HangingBackend.start();
                GatewayProcess gateway = GatewayProcess.start(backend.access())) {
            Runnable hangUp = gateway.begin(HangingBackend.KEY, "chat");
            Await.until("the request is held", () -> backend.held() == 1);
            hangUp.run();
            Await.until("nothing is held", () -> backend.held() == 0);
        }
    }

    @Test
    @Tag("full")
    void callersAreToldThatTheBackendIsAwayAndKnownKeysHold() {
        try (HangingBackend backend = HangingBackend.start();
                GatewayProcess gateway = GatewayProcess.start(backend.access())) {
            assertTrue(gateway.models(HangingBackend.KEY).contains("chat"));
            backend.hangFromNowOn();
            HttpResponse<String> refused = gateway.complete(HangingBackend.KEY, "chat", 4);
            assertEquals(503, refused.statusCode(), refused.body());
            assertTrue(refused.body().contains("the backend has not answered for"), refused.body());
            // The cached data of the key have expired, and the backend still hangs.
            assertTrue(gateway.models(HangingBackend.KEY).contains("chat"));
        }
    }
}
