package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.startsWith;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Logins by an issuer, whose groups are roles. */
class IdentityApiTest {
    private final Tenant tenant = Tenant.create();
    private static final String REDIRECT = "http://127.0.0.1:9/";

    private final TestIssuer issuer = BackendProcess.issuer();

    private ValidatableResponse login(String token, String organisation) {
        return given().baseUri(BackendProcess.shared().address())
                .contentType(ContentType.JSON)
                .body(Map.of("idToken", token, "organisation", organisation))
                .post("/v1/identity/login")
                .then();
    }

    @Test
    void issuerIsNamedToWhoeverWantsToLogIn() {
        given().baseUri(BackendProcess.shared().address())
                .get("/v1/identity")
                .then()
                .statusCode(200)
                .body("issuer", equalTo(issuer.address()))
                .body("deviceEndpoint", equalTo(issuer.address() + "/device"));
    }

    @Test
    void groupsSayWhatTheKeyOfALoginMayDo() {
        String token = issuer.token("ada", List.of("developers", "others"));
        ValidatableResponse in = login(token, "default").statusCode(200).body("key", startsWith("op_"));
        in.body("scopes", hasItems("READ", "MACHINES")).body("subject", equalTo("oidc:ada"));
        Tenant ada = new Tenant("default", in.extract().path("key"));
        ada.get("/v1/machines").statusCode(200);
        ada.get("/v1/keys").statusCode(403);
        Tenant.operator().get("/v1/audit").body("items.action", hasItems("identity.login"));
    }

    @Test
    void whoIsInNoGroupAnyMoreLosesTheRole() {
        Tenant eve = new Tenant(
                "default",
                login(issuer.token("eve", List.of("developers", "admins")), "default")
                        .extract()
                        .path("key"));
        eve.get("/v1/keys").statusCode(200);
        login(issuer.token("eve", List.of("developers")), "default").statusCode(200);
        eve.get("/v1/keys").statusCode(403);
        login(issuer.token("eve", List.of()), "default")
                .statusCode(403)
                .body("detail", containsString("eve@example.org"));
        eve.get("/v1/machines").statusCode(401);
    }

    @Test
    void tokenThatIsNotTheIssuersForThisClientIsRefused() {
        Instant later = Instant.now().plusSeconds(300);
        List<String> groups = List.of("admins");
        String unsigned = new PlainJWT(new JWTClaimsSet.Builder()
                        .issuer(issuer.address())
                        .audience(TestIssuer.CLIENT)
                        .subject("eve")
                        .build())
                .serialize();
        for (String token : List.of(
                issuer.token("http://elsewhere", TestIssuer.CLIENT, "eve", groups, later, issuer.key()),
                issuer.token(issuer.address(), "other", "eve", groups, later, issuer.key()),
                issuer.token(
                        issuer.address(),
                        TestIssuer.CLIENT,
                        "eve",
                        groups,
                        Instant.now().minusSeconds(300),
                        issuer.key()),
                issuer.token(issuer.address(), TestIssuer.CLIENT, "eve", groups, later, TestIssuer.anotherKey()),
                unsigned,
                "x.y.z",
                "")) {
            login(token, "default").statusCode(401);
        }
    }

    /** Returns the code of a person who has logged in with this challenge and nonce. */
    private String code(String verifier, String nonce) {
        String location = given().redirects()
                .follow(false)
                .queryParam("response_type", "code")
                .queryParam("client_id", TestIssuer.CLIENT)
                .queryParam("redirect_uri", REDIRECT)
                .queryParam("state", "s")
                .queryParam("nonce", nonce)
                .queryParam("code_challenge", TestIssuer.challenge(verifier))
                .queryParam("code_challenge_method", "S256")
                .get(issuer.address() + "/authorize")
                .then()
                .statusCode(302)
                .extract()
                .header("Location");
        return location.replaceAll(".*[?&]code=([^&]+).*", "$1");
    }

    private ValidatableResponse exchange(String code, String verifier, String redirect, String nonce) {
        return given().baseUri(BackendProcess.shared().address())
                .contentType(ContentType.JSON)
                .body(Map.of(
                        "code",
                        code,
                        "verifier",
                        verifier,
                        "redirect",
                        redirect,
                        "nonce",
                        nonce,
                        "organisation",
                        "default"))
                .post("/v1/identity/code")
                .then();
    }

    @Test
    void codeOfABrowserIsAKeyThatLoggingOutRevokes() {
        issuer.nextIs("grace", List.of("admins"));
        String key = exchange(code("v".repeat(43), "n"), "v".repeat(43), REDIRECT, "n")
                .statusCode(200)
                .body("subject", equalTo("oidc:grace"))
                .body("scopes", hasItems("ADMIN"))
                .extract()
                .path("key");
        Tenant grace = new Tenant("default", key);
        grace.get("/v1/keys").statusCode(200);
        grace.request().post("/v1/identity/logout").then().statusCode(204);
        grace.get("/v1/machines").statusCode(401);
    }

    @Test
    void codeIsForWhoeverAskedForItAndGoodOnce() {
        issuer.nextIs("grace", List.of("admins"));
        String verifier = "v".repeat(43);
        exchange(code(verifier, "n"), "w".repeat(43), REDIRECT, "n").statusCode(401);
        exchange(code(verifier, "n"), verifier, "http://elsewhere/", "n").statusCode(401);
        exchange(code(verifier, "n"), verifier, REDIRECT, "another").statusCode(401);
        String code = code(verifier, "n");
        exchange(code, verifier, REDIRECT, "n").statusCode(200);
        exchange(code, verifier, REDIRECT, "n").statusCode(401);
        exchange("", verifier, REDIRECT, "n").statusCode(422);
    }

    @Test
    void loggingOutLeavesAKeyThatIsOfNoLogin() {
        Tenant reader = tenant.withScopes("READ");
        reader.request().post("/v1/identity/logout").then().statusCode(409);
        reader.get("/v1/machines").statusCode(200);
    }

    @Test
    void groupsOfOneOrganisationOpenNoOther() {
        login(issuer.token("mallory", List.of("developers")), tenant.name()).statusCode(403);
    }

    private ValidatableResponse login(String token, String organisation, String project) {
        return given().baseUri(BackendProcess.shared().address())
                .contentType(ContentType.JSON)
                .body(Map.of("idToken", token, "organisation", organisation, "project", project))
                .post("/v1/identity/login")
                .then();
    }

    @Test
    void rolesInTwoProjectsLetInToEach() {
        for (String project : List.of("vision", "speech")) {
            Tenant.operator().put("/v1/projects/" + project, Map.of());
        }
        String token = issuer.token("hugo", List.of("vision", "speech"));
        login(token, "default", "vision").statusCode(200).body("scopes", hasItems("MACHINES"));
        ValidatableResponse in = login(token, "default", "speech")
                .statusCode(200)
                .body("project", equalTo("speech"))
                .body("scopes", equalTo(List.of("READ")));
        new Tenant("default", in.extract().path("key")).get("/v1/machines").statusCode(200);
        login(issuer.token("hugo", List.of("vision")), "default", "speech").statusCode(403);
    }

    @Test
    void lostGroupIsNoRoleAnyMoreWhereverTheNextLoginLeads() {
        Tenant.operator().post("/v1/organisations", Map.of("name", "partners"));
        Tenant ivy = new Tenant(
                "default",
                login(issuer.token("ivy", List.of("developers", "partners")), "default")
                        .statusCode(200)
                        .extract()
                        .path("key"));
        ivy.get("/v1/machines").statusCode(200);
        login(issuer.token("ivy", List.of("partners")), "partners").statusCode(200);
        ivy.get("/v1/machines").statusCode(401);
    }

    @Test
    void rolesOfGroupsEndSomeTimeAfterTheLastLogin() {
        Tenant jane = new Tenant(
                "default",
                login(issuer.token("jane", List.of("admins")), "default")
                        .statusCode(200)
                        .extract()
                        .path("key"));
        Tenant lasting = jane.with(Map.of("name", "laptop", "scopes", List.of("READ"), "member", "oidc:jane"));
        lasting.get("/v1/machines").statusCode(200);
        BackendProcess.shared().expireMember("oidc:jane");
        lasting.get("/v1/machines").statusCode(401);
        jane.get("/v1/machines").statusCode(401);
        login(issuer.token("jane", List.of("admins")), "default").statusCode(200);
        lasting.get("/v1/machines").statusCode(200);
    }
}
