package dev.outpost.backend.api;

import static org.hamcrest.Matchers.equalTo;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A DELETE that expects another version than the stored one removes nothing. */
class RemovalByVersionTest {
    private final Tenant tenant = Tenant.create();
    private final Tenant operator = Tenant.operator();

    /** Makes a resource twice, so that its version is 2, and removes it by its first and then by its second version. */
    private static void check(Tenant caller, String path, Map<String, ?> body, int removed) {
        check(caller, path, path, body, body, removed);
    }

    private static void check(
            Tenant caller, String write, String path, Map<String, ?> body, Map<String, ?> other, int removed) {
        caller.put(write, body);
        caller.put(write, other);
        caller.request()
                .header("If-Match", "\"1\"")
                .delete(path)
                .then()
                .statusCode(412)
                .body("code", equalTo("changed-since"));
        caller.request().header("If-Match", "\"2\"").delete(path).then().statusCode(removed);
    }

    @Test
    void eachKindIsRemovedByItsVersion() {
        check(tenant, "/v1/projects/vision", Map.of("priority", 1), 204);
        check(tenant, "/v1/members/ada@example.org", Map.of("role", "VIEWER"), 204);
        check(tenant, "/v1/secrets/HF_TOKEN", Map.of("value", "hidden"), 204);
        check(
                tenant,
                "/v1/quotas",
                "/v1/quotas?resource=GPUS",
                Map.of("resource", "GPUS", "allowed", 1),
                Map.of("resource", "GPUS", "allowed", 2),
                204);
        check(
                tenant,
                "/v1/budgets",
                "/v1/budgets?period=DAY",
                Map.of("period", "DAY", "cap", 1),
                Map.of("period", "DAY", "cap", 2),
                204);
        check(tenant, "/v1/webhooks/" + Tenant.draw(), Map.of("url", "http://127.0.0.1:9/"), 204);
        check(
                tenant,
                "/v1/deployments/chat",
                "/v1/deployments/chat",
                Map.of("model", "file:/a", "max", 1),
                Map.of("model", "file:/a", "max", 2),
                202);
    }

    @Test
    void whatAnOperatorSetsIsRemovedByItsVersion() {
        String drawn = tenant.name();
        check(operator, "/v1/pools/" + drawn, Map.of("gpu", "A100", "paused", true), 204);
        check(operator, "/v1/clusters/" + drawn, Map.of("provider", "paper", "state", "CORDONED"), 204);
        String limits = "/v1/organisations/" + drawn;
        check(
                operator,
                limits + "/quotas",
                limits + "/quotas?resource=GPUS",
                Map.of("resource", "GPUS", "allowed", 1),
                Map.of("resource", "GPUS", "allowed", 2),
                204);
        check(
                operator,
                limits + "/budgets",
                limits + "/budgets?period=DAY",
                Map.of("period", "DAY", "cap", 1),
                Map.of("period", "DAY", "cap", 2),
                204);
    }

    @Test
    void keyIsRevokedByItsVersion() {
        String id = tenant.post("/v1/keys", Map.of("name", "ci", "scopes", List.of("READ")))
                .statusCode(201)
                .extract()
                .path("id");
        check(
                tenant,
                "/v1/keys/" + id,
                "/v1/keys/" + id,
                Map.of("name", "ci", "scopes", List.of("READ")),
                Map.of("name", "ci", "scopes", List.of("READ", "MACHINES")),
                412);
        tenant.request()
                .header("If-Match", "\"3\"")
                .delete("/v1/keys/" + id)
                .then()
                .statusCode(204);
    }

    @Test
    void missingThingsAreNotFoundWhateverTheVersion() {
        for (String path : List.of(
                "/v1/members/nobody", "/v1/secrets/NONE", "/v1/quotas?resource=GPUS", "/v1/budgets?period=WEEK")) {
            tenant.request().header("If-Match", "\"1\"").delete(path).then().statusCode(404);
        }
    }

    @Test
    void secretOfAnotherVersionIsNotOverwritten() {
        String path = "/v1/secrets/HF_TOKEN";
        Map<String, ?> body = Map.of("value", "hidden");
        tenant.request()
                .body(body)
                .header("If-None-Match", "*")
                .put(path)
                .then()
                .statusCode(200);
        tenant.request()
                .body(body)
                .header("If-None-Match", "*")
                .put(path)
                .then()
                .statusCode(412);
        tenant.request().body(body).header("If-Match", "\"7\"").put(path).then().statusCode(412);
        tenant.request().body(body).header("If-Match", "\"1\"").put(path).then().body("version", equalTo(2));
    }
}
