package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Members, and what their roles mean for keys. */
class MembersApiTest {
    private static final String ADA = "ada@example.org";

    private final Tenant tenant = Tenant.create();

    private void role(String query, String role) {
        tenant.put("/v1/members/" + ADA + query, Map.of("role", role)).statusCode(200);
    }

    private Tenant keyOfAda(Map<String, ?> more) {
        Map<String, Object> body = new java.util.HashMap<>(Map.of("name", "ada's", "member", ADA));
        body.putAll(more);
        return tenant.with(body);
    }

    @Test
    void changeOfAStaleMemberIsRefused() {
        String tag = tenant.put("/v1/members/" + ADA, Map.of("role", "VIEWER"))
                .statusCode(200)
                .body("created", notNullValue())
                .extract()
                .header("ETag");
        role("", "DEVELOPER");
        tenant.request()
                .header("If-Match", tag)
                .body(Map.of("role", "ADMIN"))
                .put("/v1/members/" + ADA)
                .then()
                .statusCode(412)
                .body("code", equalTo("changed-since"));
        tenant.request()
                .header("If-None-Match", "*")
                .body(Map.of("role", "ADMIN"))
                .put("/v1/members/" + ADA)
                .then()
                .statusCode(412);
        tenant.get("/v1/members").body("items[0].role", equalTo("DEVELOPER")).body("items[0].version", equalTo(2));
    }

    @Test
    void membersComeInPages() {
        for (String name : List.of("a", "b", "c")) {
            tenant.put("/v1/members/" + name, Map.of("role", "VIEWER")).statusCode(200);
            tenant.put("/v1/members/" + name + "?project=default", Map.of("role", "ADMIN"))
                    .statusCode(200);
        }
        List<String> seen = new ArrayList<>();
        String next = "";
        while (next != null) {
            var page = tenant.get("/v1/members?limit=4" + (next.isEmpty() ? "" : "&cursor=" + next))
                    .statusCode(200)
                    .extract();
            seen.addAll(page.path("items.subject"));
            next = page.path("next");
        }
        assertEquals(List.of("a", "b", "c", "a", "b", "c"), seen);
        tenant.get("/v1/members?cursor=nonsense").statusCode(422);
        tenant.get("/v1/members?limit=501").statusCode(422);
    }

    @Test
    void memberKeyHasTheScopesOfItsRole() {
        role("", "DEVELOPER");
        Tenant ada = keyOfAda(Map.of("scopes", List.of("READ", "MACHINES")));
        ada.get("/v1/machines").statusCode(200);
        String id = ada.start();
        tenant.post("/v1/keys", Map.of("name", "x", "member", ADA, "scopes", List.of("ADMIN")))
                .statusCode(403)
                .body("detail", containsString("DEVELOPER, which has not ADMIN"));
        role("", "VIEWER");
        ada.get("/v1/machines").statusCode(200);
        ada.post(Tenant.path(id) + ":end", Map.of()).statusCode(403);
        tenant.delete("/v1/members/" + ADA).statusCode(204);
        ada.get("/v1/machines").statusCode(401);
        role("", "ADMIN");
        ada.post(Tenant.path(id) + ":end", Map.of()).statusCode(202);
        ada.get("/v1/keys").statusCode(403);
    }

    @Test
    void projectRoleCountsForKeysOfThatProjectOnly() {
        tenant.put("/v1/projects/vision", Map.of()).statusCode(200);
        role("?project=vision", "DEVELOPER");
        tenant.post("/v1/keys", Map.of("name", "x", "member", ADA, "scopes", List.of("READ")))
                .statusCode(404)
                .body("detail", containsString(ADA));
        Tenant ada = keyOfAda(Map.of("project", "vision", "scopes", List.of("READ", "MACHINES")));
        String own = ada.start();
        ada.get("/v1/machines").body("items.id", containsInAnyOrder(own));
    }

    @Test
    void rotatedKeyBelongsToTheSameMember() {
        role("", "VIEWER");
        var made = tenant.post("/v1/keys", Map.of("name", "x", "member", ADA, "scopes", List.of("READ")))
                .statusCode(201)
                .body("member", equalTo(ADA))
                .extract();
        String fresh = tenant.post("/v1/keys/" + made.path("id") + ":rotate", Map.of())
                .statusCode(201)
                .body("member", equalTo(ADA))
                .extract()
                .path("key");
        tenant.delete("/v1/members/" + ADA).statusCode(204);
        new Tenant(tenant.name(), fresh).get("/v1/machines").statusCode(401);
    }

    @Test
    void membersOfAnotherOrganisationAreNotListed() {
        role("", "ADMIN");
        Tenant other = Tenant.create();
        other.delete("/v1/members/" + ADA).statusCode(404);
        other.post("/v1/keys", Map.of("name", "x", "member", ADA, "scopes", List.of("READ")))
                .statusCode(404);
        tenant.withScopes("READ")
                .put("/v1/members/" + ADA, Map.of("role", "VIEWER"))
                .statusCode(403);
    }
}
