package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.outpost.backend.model.ApiKey;
import dev.outpost.support.tests.Await;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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

    /** No cookie opens anything, so no other site can act for somebody; and none may frame or read what is here. */
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
