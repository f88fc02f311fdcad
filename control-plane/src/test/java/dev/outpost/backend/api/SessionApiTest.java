package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.SessionRows;
import dev.outpost.support.tests.Await;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sessions of browsers: the cookie, its token, and requests of other sites. */
class SessionApiTest {
    private static final String COOKIE = "outpost-session";
    private static final String TOKEN = "X-CSRF-Token";

    private final Tenant tenant = Tenant.create();

    /** A session as the browser has it. */
    private record Browser(String cookie, String token) {
        static Browser of(String key) {
            ValidatableResponse begun =
                    begin(Map.of("key", key), "http://" + host()).statusCode(201);
            return new Browser(begun.extract().cookie(COOKIE), begun.extract().path("csrfToken"));
        }

        RequestSpecification request() {
            return plain().cookie(COOKIE, cookie);
        }

        RequestSpecification withToken() {
            return request().header(TOKEN, token);
        }
    }

    private static String host() {
        return BackendProcess.shared().address().replace("http://", "");
    }

    private static RequestSpecification plain() {
        return given().baseUri(BackendProcess.shared().address()).contentType(ContentType.JSON);
    }

    private static ValidatableResponse begin(Map<String, ?> body, String origin) {
        return plain().header("Origin", origin).body(body).post("/v1/session").then();
    }

    @Test
    void cookieIsOutOfReachOfScriptsAndOtherSites() {
        begin(Map.of("key", tenant.key()), "http://" + host())
                .statusCode(201)
                .header(
                        "Set-Cookie",
                        allOf(
                                containsString("HttpOnly"),
                                containsString("SameSite=Strict"),
                                containsString("Path=/"),
                                not(containsString("Secure")),
                                not(containsString(tenant.key()))));
    }

    @Test
    void cookieIsSecureOverHttps() {
        begin(Map.of("key", tenant.key()), "https://" + host())
                .statusCode(201)
                .header("Set-Cookie", allOf(containsString("__Host-" + COOKIE), containsString("Secure")));
    }

    @Test
    void sessionHasTheRightsOfItsKey() {
        Browser reader = Browser.of(tenant.withScopes("READ").key());
        reader.request()
                .get("/v1/session")
                .then()
                .statusCode(200)
                .body("organisation", equalTo(tenant.name()))
                .body("scopes", equalTo(List.of("READ")))
                .body("csrfToken", equalTo(reader.token()))
                .body("expires", notNullValue());
        reader.withToken()
                .body(Map.of())
                .put("/v1/projects/vision")
                .then()
                .statusCode(403)
                .body("detail", containsString("ADMIN"));
        Browser.of(tenant.key())
                .withToken()
                .body(Map.of())
                .put("/v1/projects/vision")
                .then()
                .statusCode(200);
        tenant.get("/v1/audit").body("items.action", hasItems("session.begin", "project.set"));
    }

    @Test
    void changeNeedsTheTokenOfTheSession() {
        Browser browser = Browser.of(tenant.key());
        Browser other = Browser.of(tenant.key());
        browser.request().get("/v1/projects").then().statusCode(200);
        for (RequestSpecification forged : List.of(
                browser.request(),
                browser.request().header(TOKEN, ""),
                browser.request().header(TOKEN, browser.cookie()),
                browser.request().header(TOKEN, other.token()))) {
            forged.body(Map.of())
                    .put("/v1/projects/forged")
                    .then()
                    .statusCode(403)
                    .body("detail", containsString(TOKEN));
        }
        tenant.get("/v1/projects/forged").statusCode(404);
    }

    @Test
    void otherSitesAreRefusedAlsoWithTheToken() {
        Browser browser = Browser.of(tenant.key());
        Map<String, String> others = Map.of(
                "Origin", "http://127.0.0.1:1",
                "Sec-Fetch-Site", "same-site");
        others.forEach((header, value) -> {
            browser.withToken()
                    .header(header, value)
                    .body(Map.of())
                    .put("/v1/projects/forged")
                    .then()
                    .statusCode(403)
                    .body("detail", containsString("another site"));
            browser.request().header(header, value).get("/v1/projects").then().statusCode(403);
            plain().header(header, value)
                    .body(Map.of("key", tenant.key()))
                    .post("/v1/session")
                    .then()
                    .statusCode(403)
                    .cookies(Map.of());
        });
        for (String origin : List.of("null", "http://", "file://", "nonsense", "http://" + host() + ".evil.example")) {
            browser.request()
                    .header("Origin", origin)
                    .get("/v1/projects")
                    .then()
                    .statusCode(403);
        }
        browser.withToken()
                .header("Sec-Fetch-Site", "same-origin")
                .header("Origin", "http://" + host())
                .body(Map.of())
                .put("/v1/projects/own")
                .then()
                .statusCode(200);
    }

    @Test
    void keyInTheHeaderNeedsNoToken() {
        tenant.put("/v1/projects/by-key", Map.of()).statusCode(200);
        tenant.delete("/v1/session").statusCode(409);
        // A cookie beside the key changes nothing.
        tenant.request()
                .cookie(COOKIE, Browser.of(Tenant.create().key()).cookie())
                .get("/v1/projects/by-key")
                .then()
                .statusCode(200);
    }

    @Test
    void logoutEndsTheSessionAndLeavesTheKey() {
        Browser browser = Browser.of(tenant.key());
        browser.request().delete("/v1/session").then().statusCode(403);
        browser.withToken().delete("/v1/session").then().statusCode(204).cookie(COOKIE, "");
        browser.request().get("/v1/projects").then().statusCode(401).body("detail", containsString("log in again"));
        tenant.get("/v1/projects").statusCode(200);
    }

    @Test
    void sessionOfAKeyThatMayNotReadIsEnded() {
        Browser browser = Browser.of(tenant.withScopes("MACHINES").key());
        browser.withToken()
                .header("Origin", "http://127.0.0.1:1")
                .delete("/v1/session")
                .then()
                .statusCode(403);
        browser.withToken().delete("/v1/session").then().statusCode(204).cookie(COOKIE, "");
        browser.request().get("/v1/session").then().statusCode(204).body(equalTo(""));
        tenant.get("/v1/audit").body("items.action", hasItems("session.begin", "session.end"));
    }

    @Test
    void plainCookieIsNotTakenBehindAProxyThatEndsTls() {
        Browser browser = Browser.of(tenant.key());
        RequestSpecification ofProxy = browser.request().header("Host", "outpost.example.org");
        ofProxy.get("/v1/projects").then().statusCode(200);
        ofProxy.header("Sec-Fetch-Site", "same-origin")
                .get("/v1/projects")
                .then()
                .statusCode(401);
        browser.request()
                .header("Sec-Fetch-Site", "same-origin")
                .get("/v1/projects")
                .then()
                .statusCode(200);
    }

    @Test
    void sessionEndsWithItsKey() {
        Browser browser = Browser.of(tenant.withScopes("READ").key());
        String key = browser.request().get("/v1/session").then().extract().path("keyId");
        tenant.delete("/v1/keys/" + key).statusCode(204);
        browser.request().get("/v1/projects").then().statusCode(401);
        browser.request().get("/v1/session").then().statusCode(204);
    }

    @Test
    void sessionExpiresAtTheLatestWithItsKey() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(1500), life -> {
            Browser brief = Browser.of(tenant.with(Map.of(
                            "name", "brief",
                            "scopes", List.of("READ"),
                            "expires", Instant.now().plus(life).toString()))
                    .key());
            brief.request().get("/v1/projects").then().statusCode(200);
            Await.until(
                    "the session has expired",
                    () -> brief.request().get("/v1/projects").statusCode() == 401);
        });
    }

    @Test
    void furtherSessionEndsTheOldestOneOfItsKey() {
        Browser first = Browser.of(tenant.key());
        List<Browser> others = Stream.generate(() -> Browser.of(tenant.key()))
                .limit(SessionRows.OF_KEY)
                .toList();
        first.request().get("/v1/session").then().statusCode(204);
        first.request().get("/v1/projects").then().statusCode(401);
        others.getFirst().request().get("/v1/projects").then().statusCode(200);
        others.getLast().request().get("/v1/projects").then().statusCode(200);
    }

    @Test
    void unknownKeysAndSessionsAreRefused() {
        begin(Map.of("key", ApiKey.draw(new SecureRandom()).text()), "http://" + host())
                .statusCode(401);
        begin(Map.of("key", "nonsense"), "http://" + host()).statusCode(401).cookies(Map.of());
        begin(Map.of(), "http://" + host()).statusCode(422);
        for (String value : List.of("nonsense", "a".repeat(43), "\"", "a;b")) {
            assertEquals(
                    401,
                    plain().header("Cookie", COOKIE + "=" + value)
                            .get("/v1/projects")
                            .statusCode());
        }
    }
}
