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

    @Test
    void groupsOfOneOrganisationOpenNoOther() {
        login(issuer.token("mallory", List.of("developers")), tenant.name()).statusCode(403);
    }
}
