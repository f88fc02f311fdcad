package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.worker.WorkerSecret;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AuthenticationTest {
    private static io.restassured.response.ValidatableResponse ask(String authorization) {
        return given().baseUri(BackendProcess.shared().address())
                .header("Authorization", authorization)
                .get("/v1/machines")
                .then();
    }

    @Test
    void requestWithoutAKeyIsRefused() {
        given().baseUri(BackendProcess.shared().address())
                .get("/v1/machines")
                .then()
                .statusCode(401)
                .header("WWW-Authenticate", "Bearer")
                .contentType("application/problem+json")
                .body("code", equalTo("unauthenticated"));
    }

    @Test
    void unknownKeyIsRefusedAndNotEchoed() {
        ApiKey unknown = ApiKey.draw(new SecureRandom());
        ask("Bearer " + unknown.text()).statusCode(401).body(not(containsString(unknown.secret())));
        ask("Bearer nonsense").statusCode(401);
        ask("Basic dXNlcjpzZWNyZXQ=").statusCode(401);
    }

    @Test
    void knownIdWithAnotherSecretIsRefused() {
        ApiKey forged = new ApiKey(
                BackendProcess.ADMIN.id(), ApiKey.draw(new SecureRandom()).secret());
        ask("Bearer " + forged.text()).statusCode(401);
    }

    @Test
    void scopesBoundWhatAKeyMayDo() {
        Tenant reader = Tenant.create().withScopes("READ");
        reader.get("/v1/machines").statusCode(200);
        reader.put(Tenant.path(Tenant.draw()), Map.of("gpu", "A100", "life", "PT1H"))
                .statusCode(403)
                .body("code", equalTo("forbidden"))
                .body("detail", containsString("MACHINES"));
        reader.get("/v1/keys").statusCode(403);
        reader.get("/v1/clusters").statusCode(403);
    }

    @Test
    void anExpiredKeyOpensNothing() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(1500), AuthenticationTest::expire);
    }

    private static void expire(Duration life) {
        Tenant tenant = Tenant.create();
        Tenant brief = tenant.with(Map.of(
                "name", "brief",
                "scopes", List.of("READ"),
                "expires", Instant.now().plus(life).toString()));
        brief.get("/v1/machines").statusCode(200);
        Await.until(
                "the key has expired",
                () -> brief.request().get("/v1/machines?limit=1").statusCode() != 200);
        brief.get("/v1/machines").statusCode(401);
    }

    /** Connects from an address that no other test uses, so that no other test is limited. */
    private static HttpClient from(String address) throws IOException {
        return HttpClient.newBuilder()
                .localAddress(InetAddress.getByName(address))
                .build();
    }

    private static HttpResponse<String> send(HttpClient http, String path, String authorization) {
        try {
            return http.send(
                    HttpRequest.newBuilder(URI.create(BackendProcess.shared().address() + path))
                            .header("Authorization", authorization)
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Sends requests concurrently until the limit is reached, because the bucket refills meanwhile. */
    private static HttpResponse<String> exhaust(HttpClient http, String path, String authorization) {
        return Await.present(
                "the address is limited",
                () -> IntStream.range(0, 400)
                        .parallel()
                        .mapToObj(i -> send(http, path, authorization))
                        .filter(answer -> answer.statusCode() == 429)
                        .findAny());
    }

    @Test
    void guessedWorkerSecretsAreLimitedByAddress() throws IOException {
        String secret = "Bearer "
                + WorkerSecret.draw(WorkerSecret.Kind.KEY, "nowhere", new SecureRandom())
                        .text();
        try (HttpClient guessing = from("127.0.0.91");
                HttpClient other = from("127.0.0.92")) {
            String refused = exhaust(guessing, "/v1/worker/report", secret).body();
            assertTrue(refused.contains("address/unknown-keys-per-second"), refused);
            assertEquals(401, send(other, "/v1/worker/report", secret).statusCode());
        }
    }

    @Test
    void loginsAreLimitedByAddress() throws IOException {
        try (HttpClient knocking = from("127.0.0.93");
                HttpClient other = from("127.0.0.94")) {
            String refused =
                    exhaust(knocking, "/v1/identity/login", "Bearer none").body();
            assertTrue(refused.contains("address/logins-per-second"), refused);
            assertEquals(422, send(other, "/v1/identity/login", "Bearer none").statusCode());
        }
    }

    /** Cookies give no access, so another site cannot act for a user; and no other site may frame or read the pages. */
    @Test
    void crossSiteRequestsAreRefused() {
        String address = BackendProcess.shared().address();
        given().baseUri(address)
                .header("Origin", "https://evil.example.org")
                .cookie("key", BackendProcess.ADMIN.text())
                .body("{}")
                .contentType("application/json")
                .post("/v1/organisations")
                .then()
                .statusCode(401)
                .header("Access-Control-Allow-Origin", nullValue());
        given().baseUri(address)
                .header("Origin", "https://evil.example.org")
                .header("Access-Control-Request-Method", "PUT")
                .options("/v1/machines/x")
                .then()
                .header("Access-Control-Allow-Origin", nullValue());
        given().baseUri(address)
                .get("/")
                .then()
                .statusCode(200)
                .header("Content-Security-Policy", containsString("default-src 'none'"))
                .header("Content-Security-Policy", containsString("frame-ancestors 'none'"))
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer");
    }

    @Test
    void noSecretIsInTheLog() {
        Tenant.create();
        String log = BackendProcess.shared().log();
        assertFalse(log.contains(BackendProcess.ADMIN.secret()), log);
    }
}
