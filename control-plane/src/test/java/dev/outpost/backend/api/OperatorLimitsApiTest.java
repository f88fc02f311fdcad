package dev.outpost.backend.api;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The operator's limits hold in addition to an organisation's own, and its administrators cannot change them. */
class OperatorLimitsApiTest {
    private final Tenant tenant = Tenant.create();
    private final Tenant operator = Tenant.operator();
    private final String path = "/v1/organisations/" + tenant.name();

    private void setQuota(long allowed) {
        operator.put(path + "/quotas", Map.of("resource", "MACHINES", "allowed", allowed))
                .statusCode(200)
                .body("name", equalTo("operator/machines"));
    }

    @Test
    void administratorSeesTheOperatorsQuotaAndCannotLiftIt() {
        setQuota(0);
        tenant.get("/v1/quotas").body("items.name", hasItem("operator/machines"));
        tenant.put("/v1/quotas", Map.of("resource", "MACHINES", "allowed", 100)).statusCode(200);
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "T4", "life", "PT1H"))
                .statusCode(422)
                .body("code", equalTo("quota-exceeded"))
                .body("limit.name", equalTo("operator/machines"));
        tenant.delete("/v1/quotas?resource=MACHINES").statusCode(204);
        tenant.delete("/v1/quotas?resource=MACHINES").statusCode(404);
        tenant.delete("/v1/quotas?resource=MACHINES&project=outpost.operator").statusCode(422);
        tenant.put("/v1/quotas", Map.of("resource", "MACHINES", "allowed", 9, "project", "outpost.operator"))
                .statusCode(404);
        tenant.get(path + "/quotas").statusCode(403);
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "T4", "life", "PT1H"))
                .statusCode(422);
    }

    @Test
    void stricterOneApplies() {
        setQuota(100);
        tenant.put("/v1/quotas", Map.of("resource", "MACHINES", "allowed", 0)).statusCode(200);
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "T4", "life", "PT1H"))
                .statusCode(422)
                .body("limit.name", equalTo("organisation/machines"));
        tenant.delete("/v1/quotas?resource=MACHINES").statusCode(204);
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "T4", "life", "PT1H"))
                .statusCode(201);
        operator.get(path + "/quotas").body("items", hasSize(1)).body("items[0].used", equalTo(1));
        operator.delete(path + "/quotas?resource=MACHINES").statusCode(204);
        operator.get(path + "/quotas").body("items", hasSize(0));
    }

    @Test
    void administratorCannotLiftTheOperatorsBudget() {
        operator.put("/v1/prices", Map.of("gpu", "A10G", "perHour", 3.6)).statusCode(200);
        operator.put(path + "/budgets", Map.of("period", "DAY", "cap", 0))
                .statusCode(200)
                .body("name", equalTo("operator/day"))
                .body("project", nullValue());
        tenant.put("/v1/budgets", Map.of("period", "DAY", "cap", 1000)).statusCode(200);
        tenant.get("/v1/budgets").body("items.name", hasItem("operator/day"));
        tenant.delete("/v1/budgets?period=DAY").statusCode(204);
        tenant.delete("/v1/budgets?period=DAY&project=outpost.operator").statusCode(422);
        tenant.put("/v1/budgets", Map.of("period", "DAY", "cap", 1000, "project", "outpost.operator"))
                .statusCode(404);
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "A10G", "life", "PT1H"))
                .statusCode(422)
                .body("code", equalTo("budget-exceeded"))
                .body("limit.name", equalTo("budget/operator/day"));
        operator.delete(path + "/budgets?period=DAY").statusCode(204);
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "A10G", "life", "PT1H"))
                .statusCode(201);
    }

    @Test
    void limitsOfAnOrganisationThatIsNotThereAreRefused() {
        operator.put("/v1/organisations/none/quotas", Map.of("resource", "MACHINES", "allowed", 1))
                .statusCode(404);
        operator.get("/v1/organisations/none/budgets").statusCode(404);
    }
}
