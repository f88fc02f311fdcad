package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The settings of administrators, each with its refusals. */
class AdministrationApiTest {
    private final Tenant tenant = Tenant.create();

    @Test
    void aProjectIsMadeAndChangedByItsVersion() {
        tenant.put("/v1/projects/vision", Map.of("priority", 5)).statusCode(200).header("ETag", "\"1\"");
        tenant.request()
                .header("If-Match", "\"1\"")
                .body(Map.of("priority", 7))
                .put("/v1/projects/vision")
                .then()
                .statusCode(200)
                .body("priority", equalTo(7))
                .header("ETag", "\"2\"");
        tenant.request()
                .header("If-Match", "\"1\"")
                .body(Map.of("priority", 9))
                .put("/v1/projects/vision")
                .then()
                .statusCode(412)
                .body("code", equalTo("changed-since"));
        tenant.request()
                .header("If-None-Match", "*")
                .body(Map.of())
                .put("/v1/projects/vision")
                .then()
                .statusCode(412);
        tenant.put("/v1/projects/Vision!", Map.of()).statusCode(422);
        tenant.put("/v1/projects/vision", Map.of("priority", 5000)).statusCode(422);
        tenant.get("/v1/projects/none").statusCode(404);
        tenant.get("/v1/projects").body("items.name", hasItems("default", "vision"));
    }

    @Test
    void anArchivedProjectTakesNoMachines() {
        tenant.put("/v1/projects/old", Map.of("archived", true)).statusCode(200);
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "A100", "life", "PT1H", "project", "old"))
                .statusCode(409)
                .body("detail", containsString("archived"));
    }

    @Test
    void membersHaveRoles() {
        tenant.put("/v1/members/ada@example.org", Map.of("role", "ADMIN")).statusCode(200);
        tenant.put("/v1/members/bob@example.org?project=default", Map.of("role", "VIEWER"))
                .statusCode(200);
        tenant.get("/v1/members").body("items.subject", hasItems("ada@example.org", "bob@example.org"));
        tenant.put("/v1/members/ada@example.org", Map.of("role", "KING")).statusCode(400);
        tenant.put("/v1/members/ada@example.org", Map.of()).statusCode(422);
        tenant.put("/v1/members/bob@example.org?project=none", Map.of("role", "VIEWER"))
                .statusCode(404);
        tenant.delete("/v1/members/ada@example.org").statusCode(204);
        tenant.delete("/v1/members/ada@example.org").statusCode(404);
    }

    @Test
    void aKeyIsShownOnceAndRevoked() {
        Map<String, ?> body = Map.of("name", "laptop", "scopes", List.of("READ"));
        var made = tenant.post("/v1/keys", body).statusCode(201).extract();
        String id = made.path("id");
        Tenant bearer = new Tenant(tenant.name(), made.path("key"));
        bearer.get("/v1/machines").statusCode(200);
        tenant.get("/v1/keys").body("items.id", hasItem(id)).body("items.key", hasItem(nullValue()));
        tenant.delete("/v1/keys/" + id).statusCode(204);
        bearer.get("/v1/machines").statusCode(401);
        tenant.post("/v1/keys/" + id + ":rotate", Map.of()).statusCode(409);
        tenant.delete("/v1/keys/nobodys").statusCode(404);
        Tenant.create().delete("/v1/keys/" + id).statusCode(404);
    }

    @Test
    void keyCannotRevokeAKeyWithMoreScopes() {
        Tenant admin = Tenant.operator().withScopes("READ", "MACHINES", "ADMIN");
        var made = Tenant.operator()
                .post("/v1/keys", Map.of("name", "second operator", "scopes", List.of("OPERATOR")))
                .statusCode(201)
                .extract();
        String id = made.path("id");
        admin.delete("/v1/keys/" + id).statusCode(403).body("detail", containsString("OPERATOR"));
        Tenant.operator().delete("/v1/keys/" + id).statusCode(204);
    }

    @Test
    void idempotencyKeysOfProjectsAreApart() {
        Map<String, ?> body = Map.of("name", "ci", "scopes", List.of("READ"));
        tenant.put("/v1/projects/one", Map.of()).statusCode(200);
        tenant.put("/v1/projects/two", Map.of()).statusCode(200);
        List<String> made = new ArrayList<>();
        for (String project : List.of("one", "two")) {
            Tenant admin = tenant.with(Map.of("name", "admin", "project", project, "scopes", List.of("READ", "ADMIN")));
            made.add(admin.request()
                    .header("Idempotency-Key", "same")
                    .body(body)
                    .post("/v1/keys")
                    .then()
                    .statusCode(201)
                    .extract()
                    .path("project"));
        }
        assertEquals(List.of("one", "two"), made);
    }

    @Test
    void keyCannotMakeAKeyWithMoreScopes() {
        tenant.post("/v1/keys", Map.of("name", "x", "scopes", List.of("OPERATOR")))
                .statusCode(403);
        tenant.post("/v1/keys", Map.of("name", "x", "scopes", List.of())).statusCode(422);
        tenant.post("/v1/keys", Map.of("scopes", List.of("READ"))).statusCode(422);
        tenant.post("/v1/keys", Map.of("name", "x", "scopes", List.of("READ"), "expires", "2020-01-01T00:00:00Z"))
                .statusCode(422);
    }

    @Test
    void rotatedKeyOverlapsWithTheNewOne() {
        var old = tenant.post("/v1/keys", Map.of("name", "ci", "scopes", List.of("READ")))
                .extract();
        String id = old.path("id");
        String fresh = tenant.post("/v1/keys/" + id + ":rotate", Map.of("overlap", "PT1H"))
                .statusCode(201)
                .extract()
                .path("key");
        new Tenant(tenant.name(), old.path("key")).get("/v1/machines").statusCode(200);
        new Tenant(tenant.name(), fresh).get("/v1/machines").statusCode(200);
        tenant.post("/v1/keys/" + id + ":rotate", Map.of("overlap", "P400D")).statusCode(422);
        String other = tenant.post("/v1/keys/" + id + ":rotate", Map.of("overlap", "PT0S"))
                .statusCode(201)
                .extract()
                .path("key");
        new Tenant(tenant.name(), old.path("key")).get("/v1/machines").statusCode(401);
        new Tenant(tenant.name(), other).get("/v1/machines").statusCode(200);
    }

    /** A repeated request gets the first answer without the secret, which is not stored. */
    @Test
    void idempotentPostIsDoneOnce() {
        Map<String, ?> body = Map.of("name", "ci", "scopes", List.of("READ"));
        var first = tenant.request().header("Idempotency-Key", "k1").body(body).post("/v1/keys");
        var again = tenant.request().header("Idempotency-Key", "k1").body(body).post("/v1/keys");
        assertEquals((String) first.path("id"), again.path("id"));
        assertTrue(first.asString().contains("\"key\":\"op_"), first::asString);
        assertFalse(again.asString().contains("op_"), again::asString);
        tenant.request()
                .header("Idempotency-Key", "k1")
                .body(Map.of("name", "other", "scopes", List.of("READ")))
                .post("/v1/keys")
                .then()
                .statusCode(409);
        tenant.get("/v1/keys").body("items.findAll { it.name == 'ci' }", hasSize(1));
    }

    @Test
    void quotaRefusesAndNamesTheLimit() {
        tenant.put("/v1/quotas", Map.of("project", "default", "resource", "MACHINES", "allowed", 1))
                .statusCode(200);
        String first = tenant.startReady();
        String second = tenant.start();
        tenant.get(Tenant.path(second))
                .body("phase", equalTo("QUOTA"))
                .body("text", startsWith("quota project/machines: 1 of 1 used, 1 asked"));
        tenant.get("/v1/quotas")
                .body("items[0].used", equalTo(1))
                .body("items[0].left", equalTo(0))
                .body("items[0].name", equalTo("project/machines"));
        tenant.post(Tenant.path(first) + ":end", Map.of()).statusCode(202);
        tenant.await(second, "READY");
    }

    @Test
    void requestAboveTheQuotaIsRefusedWithTheLimit() {
        tenant.put("/v1/quotas", Map.of("resource", "GPUS", "gpu", "A100", "allowed", 0))
                .statusCode(200);
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "A100", "life", "PT1H"))
                .statusCode(422)
                .body("code", equalTo("quota-exceeded"))
                .body("retryable", equalTo(false))
                .body("limit.name", equalTo("organisation/gpus:A100"))
                .body("limit.used", equalTo(0))
                .body("limit.asked", equalTo(1))
                .body("limit.allowed", equalTo(0));
        tenant.delete("/v1/quotas?resource=GPUS&gpu=A100").statusCode(204);
        tenant.delete("/v1/quotas?resource=GPUS&gpu=A100").statusCode(404);
        tenant.put("/v1/quotas", Map.of("resource", "GPUS", "allowed", -1)).statusCode(422);
        tenant.put("/v1/quotas", Map.of("allowed", 1)).statusCode(422);
        tenant.put("/v1/quotas", Map.of("resource", "GPUS", "allowed", 1, "project", "none"))
                .statusCode(404);
    }

    @Test
    void onlyAnOperatorSetsPricesAndNotForThePast() {
        tenant.put("/v1/prices", Map.of("gpu", "B200", "perHour", 1)).statusCode(403);
        Tenant operator = Tenant.operator();
        operator.put("/v1/prices", Map.of("gpu", "B200", "perHour", 3.6))
                .statusCode(200)
                .body("nanosPerSecond", equalTo(1_000_000));
        operator.put("/v1/prices", Map.of("gpu", "B200", "perHour", 1, "from", "2020-01-01T00:00:00Z"))
                .statusCode(422);
        operator.put("/v1/prices", Map.of("gpu", "B200", "perHour", -1)).statusCode(422);
        operator.put("/v1/prices", Map.of("gpu", "B200", "perHour", new java.math.BigDecimal("0.0000000001")))
                .statusCode(422);
        String exact = operator.put("/v1/prices", Map.of("gpu", "H200", "perHour", 1.25))
                .statusCode(200)
                .extract()
                .asString();
        assertTrue(exact.contains("\"perHour\":1.25"), exact);
        operator.put("/v1/prices", Map.of("perHour", 1)).statusCode(422);
        tenant.get("/v1/prices").body("items.gpu", hasItem("B200"));
        tenant.get("/v1/gpus").body("items.find { it.name == 'B200' }.nanosPerSecond", equalTo(1_000_000));
    }

    @Test
    void clusterIsCordonedByItsVersion() {
        Tenant operator = Tenant.operator();
        String name = "c" + Tenant.draw().substring(0, 8);
        operator.put("/v1/clusters/" + name, Map.of("provider", "paper", "gpus", List.of("H200"), "machines", 1))
                .statusCode(200)
                .body("state", equalTo("ACTIVE"));
        operator.request()
                .header("If-Match", "\"7\"")
                .body(Map.of("state", "CORDONED"))
                .put("/v1/clusters/" + name)
                .then()
                .statusCode(412);
        operator.put("/v1/clusters/" + name, Map.of("state", "CORDONED"))
                .statusCode(200)
                .body("state", equalTo("CORDONED"))
                .body("gpus", hasItem("H200"));
        operator.put("/v1/clusters/" + name, Map.of("provider", "k8s")).statusCode(409);
        operator.put("/v1/clusters/x1", Map.of("provider", "nobody"))
                .statusCode(422)
                .body("detail", containsString("paper"));
        operator.put("/v1/clusters/x1", Map.of("provider", "paper", "options", Map.of("wish", "1")))
                .statusCode(422);
        operator.put("/v1/clusters/x1", Map.of()).statusCode(422);
        operator.delete("/v1/clusters/" + name).statusCode(204);
        operator.get("/v1/clusters/" + name).statusCode(404);
    }

    @Test
    void administrativeActsAreAudited() {
        tenant.put("/v1/quotas", Map.of("resource", "GPUS", "allowed", 3)).statusCode(200);
        var made = tenant.post("/v1/keys", Map.of("name", "audited", "scopes", List.of("READ")))
                .extract();
        String key = made.path("key");
        tenant.get("/v1/audit")
                .statusCode(200)
                .body("items.action", hasItems("quota.set", "key.create"))
                .body(not(containsString(key)));
        tenant.withScopes("READ").get("/v1/audit").statusCode(403);
        tenant.get("/v1/audit?limit=1").body("items", hasSize(1));
    }

    @Test
    void organisationsAreIsolated() {
        tenant.get("/v1/organisations").statusCode(403);
        Tenant.operator()
                .post("/v1/organisations", Map.of("name", tenant.name()))
                .statusCode(409);
        Tenant other = Tenant.create();
        other.put("/v1/projects/secret", Map.of()).statusCode(200);
        tenant.get("/v1/projects/secret").statusCode(404);
        tenant.get("/v1/projects").body("items.name", not(hasItem("secret")));
    }

    @Test
    void usageIsExplainedToTheNanoUnit() {
        Tenant.operator()
                .put("/v1/prices", Map.of("gpu", "L40S", "perHour", 3600))
                .statusCode(200);
        String id = Tenant.draw();
        tenant.put(Tenant.path(id), Map.of("gpu", "L40S", "life", "PT1H")).statusCode(201);
        tenant.await(id, "READY");
        Instant ready = Instant.parse(tenant.get(Tenant.path(id)).extract().path("since"));
        Await.until("it is ready for two seconds", () -> Instant.now().isAfter(ready.plusSeconds(2)));
        tenant.post(Tenant.path(id) + ":end", Map.of()).statusCode(202);
        tenant.await(id, "ENDED");
        long seconds = tenant.get("/v1/usage/" + id).extract().jsonPath().getLong("items[0].seconds");
        tenant.get("/v1/usage/" + id)
                .body("items", hasSize(1))
                .body("items[0].began", equalTo("READY"))
                .body("items[0].ended", equalTo("END_ASKED"));
        assertEquals(
                seconds * 1_000_000_000L,
                tenant.get("/v1/usage/" + id).extract().jsonPath().getLong("totalNanos"));
        assertEquals(
                seconds * 1_000_000_000L,
                tenant.get("/v1/usage").extract().jsonPath().getLong("totalNanos"));
        tenant.get("/v1/usage?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z")
                .statusCode(422);
        tenant.get("/v1/usage?from=yesterday").statusCode(422);
    }

    @Test
    void keyIsChangedByItsVersion() {
        tenant.put("/v1/projects/vision", Map.of()).statusCode(200);
        String id = tenant.post(
                        "/v1/keys", Map.of("name", "ci", "project", "vision", "scopes", List.of("READ", "MACHINES")))
                .statusCode(201)
                .extract()
                .path("id");
        String path = "/v1/keys/" + id;
        tenant.get(path).statusCode(200).header("ETag", "\"1\"").body("key", nullValue());
        Map<String, ?> less = Map.of("name", "ci", "scopes", List.of("READ"), "expires", "2099-01-01T00:00:00Z");
        tenant.put(path, less)
                .statusCode(200)
                .header("ETag", "\"2\"")
                .body("scopes", equalTo(List.of("READ")))
                .body("project", equalTo("vision"))
                .body("expires", equalTo("2099-01-01T00:00:00Z"));
        tenant.request()
                .header("If-Match", "\"1\"")
                .body(less)
                .put(path)
                .then()
                .statusCode(412)
                .body("code", equalTo("changed-since"));
        tenant.put(path, Map.of("name", "ci", "scopes", List.of("READ"), "project", "default"))
                .statusCode(409)
                .body("detail", containsString("make another key"));
        tenant.put(path, Map.of("name", "ci", "scopes", List.of("OPERATOR"))).statusCode(403);
        tenant.put(path, Map.of("name", "ci", "scopes", List.of("READ"), "expires", "2020-01-01T00:00:00Z"))
                .statusCode(422);
        Tenant lead = tenant.with(Map.of("name", "lead", "project", "vision", "scopes", List.of("READ", "ADMIN")));
        String whole = tenant.post("/v1/keys", Map.of("name", "whole", "scopes", List.of("READ")))
                .extract()
                .path("id");
        lead.put("/v1/keys/" + whole, less).statusCode(404);
        lead.put(path, Map.of("name", "ci", "scopes", List.of("MACHINES"))).statusCode(403);
        tenant.delete(path).statusCode(204);
        tenant.put(path, less).statusCode(409).body("detail", containsString("make a new one"));
    }

    @Test
    void keyOfAMemberGetsNoMoreThanTheRoleAllows() {
        tenant.put("/v1/members/ada@example.org", Map.of("role", "VIEWER")).statusCode(200);
        String id = tenant.post(
                        "/v1/keys", Map.of("name", "ada", "member", "ada@example.org", "scopes", List.of("READ")))
                .statusCode(201)
                .extract()
                .path("id");
        tenant.put("/v1/keys/" + id, Map.of("name", "ada", "scopes", List.of("READ", "MACHINES")))
                .statusCode(403)
                .body("detail", containsString("VIEWER"));
    }

    @Test
    void unusedProjectIsRemovedWithItsSettings() {
        tenant.put("/v1/projects/typo", Map.of()).statusCode(200);
        tenant.put("/v1/members/ada@example.org?project=typo", Map.of("role", "VIEWER"))
                .statusCode(200);
        tenant.put("/v1/quotas", Map.of("project", "typo", "resource", "GPUS", "allowed", 1))
                .statusCode(200);
        tenant.put("/v1/budgets", Map.of("project", "typo", "period", "DAY", "cap", 1))
                .statusCode(200);
        Tenant ofProject = tenant.with(Map.of("name", "ci", "project", "typo", "scopes", List.of("READ", "ADMIN")));
        ofProject.delete("/v1/projects/typo").statusCode(403);
        tenant.delete("/v1/projects/typo").statusCode(204);
        tenant.delete("/v1/projects/typo").statusCode(404);
        ofProject.get("/v1/projects").statusCode(401);
        tenant.put("/v1/projects/typo", Map.of()).statusCode(200);
        tenant.get("/v1/members").body("items", hasSize(0));
        tenant.get("/v1/quotas").body("items", hasSize(0));
        tenant.get("/v1/budgets").body("items", hasSize(0));
    }

    @Test
    void projectWithAKeyThatAGatewayServedStays() {
        tenant.put("/v1/projects/billed", Map.of()).statusCode(200);
        Tenant reader = tenant.with(Map.of("name", "app", "project", "billed", "scopes", List.of("READ")));
        tenant.post("/v1/gateways:admit", Map.of("key", reader.key())).statusCode(200);
        tenant.delete("/v1/projects/billed").statusCode(409).body("detail", containsString("within 8 days"));
        Tenant.operator()
                .delete("/v1/organisations/" + tenant.name())
                .statusCode(409)
                .body("detail", containsString("within 8 days"));
        reader.get("/v1/projects").statusCode(200);
    }

    @Test
    void organisationWithAKeyThatAGatewayServedStays() {
        Tenant reader = tenant.withScopes("READ");
        tenant.post("/v1/gateways:admit", Map.of("key", reader.key())).statusCode(200);
        Tenant.operator()
                .delete("/v1/organisations/" + tenant.name())
                .statusCode(409)
                .body("detail", containsString("within 8 days"));
        reader.get("/v1/projects").statusCode(200);
    }

    @Test
    void projectIsNotRemovedWithKeysThatMayMore() {
        tenant.put("/v1/projects/typo", Map.of()).statusCode(200);
        Map<String, Object> key = Map.of("name", "ci", "project", "typo", "scopes", List.of("READ", "MACHINES"));
        String id = tenant.post("/v1/keys", key).statusCode(201).extract().path("id");
        tenant.withScopes("READ", "ADMIN")
                .delete("/v1/projects/typo")
                .statusCode(403)
                .body("detail", containsString("MACHINES"));
        tenant.get("/v1/keys/" + id).statusCode(200);
        tenant.delete("/v1/projects/typo").statusCode(204);
        tenant.get("/v1/keys/" + id).statusCode(404);
        List<String> removed =
                tenant.get("/v1/audit?limit=500").extract().path("items.findAll { it.action == 'key.remove' }.target");
        assertEquals(List.of(id), removed);
    }

    @Test
    void usedProjectsAndOrganisationsStay() {
        tenant.put("/v1/projects/used", Map.of()).statusCode(200);
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "A100", "life", "PT1H", "project", "used"))
                .statusCode(201);
        tenant.delete("/v1/projects/used").statusCode(409).body("detail", containsString("archive it"));
        tenant.delete("/v1/projects/default").statusCode(409).body("detail", containsString("keeps it"));
        Tenant.operator()
                .delete("/v1/organisations/" + tenant.name())
                .statusCode(409)
                .body("detail", containsString("archive its projects"));
        tenant.get("/v1/projects").statusCode(200).body("items.name", hasItems("default", "used"));
        Tenant.operator().delete("/v1/organisations/default").statusCode(409);
        Tenant.operator().delete("/v1/organisations/none").statusCode(404);
        Tenant unused = Tenant.create();
        Tenant.operator().delete("/v1/organisations/" + unused.name()).statusCode(204);
        unused.get("/v1/projects").statusCode(401);
    }

    @Test
    void onlyAPriceThatDoesNotHoldYetIsRemoved() {
        Tenant operator = Tenant.operator();
        operator.put("/v1/prices", Map.of("gpu", "T4", "perHour", 1, "from", "2098-01-01T00:00:00Z"))
                .statusCode(200);
        operator.delete("/v1/prices?gpu=t4&from=2098-01-01T00:00:00Z").statusCode(204);
        operator.delete("/v1/prices?gpu=T4&from=2098-01-01T00:00:00Z").statusCode(404);
        operator.delete("/v1/prices?gpu=T4&from=2020-01-01T00:00:00Z")
                .statusCode(409)
                .body("detail", containsString("holds already"));
        operator.delete("/v1/prices?gpu=T4").statusCode(422);
        operator.delete("/v1/token-prices?from=2098-01-01T00:00:00Z").statusCode(422);
    }
}
