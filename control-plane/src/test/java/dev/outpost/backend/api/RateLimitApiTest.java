package dev.outpost.backend.api;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A key with too many requests gets the time of its next attempt, and other keys are not delayed. Sends thousands of requests. */
@Tag("full")
class RateLimitApiTest {
    private static final int TOGETHER = 100;
    private static final int TOO_MANY = 429;

    @Test
    void excessiveKeyIsToldWhenToRetry() {
        Tenant greedy = Tenant.create();
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(BackendProcess.shared().address() + "/v1/gpus"))
                .header("Authorization", "Bearer " + greedy.key())
                .build();
        int status = 200;
        while (status == 200) {
            status = Stream.generate(() -> http.sendAsync(request, HttpResponse.BodyHandlers.discarding()))
                    .limit(TOGETHER)
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .mapToInt(HttpResponse::statusCode)
                    .max()
                    .orElseThrow();
        }
        assertEquals(TOO_MANY, status);
        // Its bucket refills meanwhile, so another burst may be needed.
        var refused = greedy.get("/v1/gpus");
        while (refused.extract().statusCode() == 200) {
            Stream.generate(() -> http.sendAsync(request, HttpResponse.BodyHandlers.discarding()))
                    .limit(TOGETHER)
                    .toList()
                    .forEach(CompletableFuture::join);
            refused = greedy.get("/v1/gpus");
        }
        refused.statusCode(TOO_MANY)
                .header("Retry-After", notNullValue())
                .body("code", equalTo("too-many-requests"))
                .body("retryable", equalTo(true))
                .body("limit.name", equalTo("key/requests-per-second"));
        Tenant.create().get("/v1/gpus").statusCode(200);
    }
}
