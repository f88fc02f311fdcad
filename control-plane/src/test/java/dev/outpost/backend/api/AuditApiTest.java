package dev.outpost.backend.api;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The audit log has every administrative act with its caller and its object, and no refused requests. */
class AuditApiTest {
    private final Tenant tenant = Tenant.create();
    private final Tenant operator = Tenant.operator();

    private static List<String> acts(Tenant whose, String target) {
        List<Map<String, ?>> items =
                whose.get("/v1/audit?limit=500").statusCode(200).extract().path("items");
        return items.stream()
                .filter(act -> ((String) act.get("target")).contains(target))
                .map(act -> (String) act.get("action"))
                .toList();
    }

    @Test
    void actsOfAnAdministratorAreAudited() {
        tenant.put("/v1/projects/vision", Map.of("priority", 1)).statusCode(200);
        tenant.put("/v1/members/ada", Map.of("role", "VIEWER")).statusCode(200);
        tenant.delete("/v1/members/ada").statusCode(204);
        tenant.put("/v1/quotas", Map.of("resource", "GPUS", "allowed", 1)).statusCode(200);
        tenant.delete("/v1/quotas?resource=GPUS").statusCode(204);
        String id = tenant.post("/v1/keys", Map.of("name", "ci", "scopes", List.of("READ")))
                .extract()
                .path("id");
        tenant.post("/v1/keys/" + id + ":rotate", Map.of()).statusCode(201);
        tenant.delete("/v1/keys/" + id).statusCode(204);
        List<String> actions = tenant.get("/v1/audit?limit=500").extract().path("items.action");
        assertEquals(
                List.of(
                        "key.create",
                        "key.revoke",
                        "key.rotate",
                        "member.remove",
                        "member.set",
                        "project.set",
                        "quota.remove",
                        "quota.set"),
                List.copyOf(new TreeSet<>(actions)));
        assertEquals(8, actions.size(), "each once");
        List<String> actors = tenant.get("/v1/audit?limit=500").extract().path("items.actor");
        assertEquals(1, new TreeSet<>(actors).size(), actors::toString);
    }

    @Test
    void actsOfAnOperatorAreAudited() {
        String name = "c" + Tenant.draw().substring(0, 8);
        operator.put("/v1/clusters/" + name, Map.of("provider", "paper", "gpus", List.of("H200"), "machines", 0))
                .statusCode(200);
        operator.delete("/v1/clusters/" + name).statusCode(204);
        assertEquals(List.of("cluster.remove", "cluster.set"), acts(operator, name));
        operator.put("/v1/prices", Map.of("gpu", "A10G", "perHour", 1, "from", "2150-01-01T00:00:00Z"))
                .statusCode(200);
        assertEquals("price.set", acts(operator, "A10G").getFirst());
        assertEquals(List.of("organisation.create"), acts(operator, tenant.name()));
        assertEquals(List.of(), acts(tenant, name), "another organisation does not see it");
    }

    /** Refused acts had no effect. */
    @Test
    void refusedActsAreNotAudited() {
        tenant.put("/v1/quotas", Map.of("resource", "GPUS", "allowed", 1, "project", "none"))
                .statusCode(404);
        tenant.post("/v1/keys", Map.of("name", "x", "scopes", List.of("OPERATOR")))
                .statusCode(403);
        tenant.delete("/v1/members/nobody").statusCode(404);
        tenant.get("/v1/audit").body("items.size()", equalTo(0));
    }

    @Test
    void auditComesInPagesNewestFirst() {
        for (int i = 0; i < 5; i++) {
            tenant.put("/v1/projects/p" + i, Map.of()).statusCode(200);
        }
        List<String> targets = new ArrayList<>();
        String next = "";
        while (next != null) {
            var page = tenant.get("/v1/audit?limit=2" + (next.isEmpty() ? "" : "&cursor=" + next))
                    .statusCode(200)
                    .extract();
            targets.addAll(page.path("items.target"));
            next = page.path("next");
        }
        assertEquals(List.of("p4", "p3", "p2", "p1", "p0"), targets);
        tenant.get("/v1/audit?cursor=nonsense").statusCode(422);
    }

    @Test
    void projectKeyCannotReadTheAudit() {
        Tenant vision = tenant.with(Map.of("name", "v", "project", "default", "scopes", List.of("ADMIN")));
        vision.get("/v1/audit").statusCode(403);
    }
}
