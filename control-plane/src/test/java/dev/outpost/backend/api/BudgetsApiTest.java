package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The horizon of this backend is 20 s, and a GPU of this kind costs a thousandth of a unit a second. */
class BudgetsApiTest {
    private static final String GPU = "L40S";
    private static final String PATH = "/v1/budgets";
    private static final Map<String, ?> HOUR = Map.of("gpu", GPU, "life", "PT1H");

    private final Tenant tenant = Tenant.create();

    @BeforeAll
    static void setPrice() {
        Tenant.create();
        Tenant.operator().put("/v1/prices", Map.of("gpu", GPU, "perHour", 3.6)).statusCode(200);
    }

    private ValidatableResponse set(double cap, Map<?, ?>... thresholds) {
        return tenant.put(PATH, Map.of("period", "DAY", "cap", cap, "thresholds", List.of(thresholds)));
    }

    private static Map<String, ?> threshold(int percent, String action) {
        return Map.of("percent", percent, "action", action);
    }

    private static void await(String what, java.util.function.BooleanSupplier condition) {
        Await.until(what, condition::getAsBoolean);
    }

    @Test
    void capIsWrittenAsPeopleWriteIt() {
        String set =
                tenant.put(PATH, Map.of("period", "MONTH", "cap", 40)).extract().asString();
        assertTrue(set.contains("\"cap\":40,"), set);
        String finer = tenant.put(PATH, Map.of("period", "MONTH", "cap", 0.25))
                .extract()
                .asString();
        assertTrue(finer.contains("\"cap\":0.25,"), finer);
    }

    @Test
    void machineThatDoesNotFitIsRefused() {
        set(0.05, threshold(100, "REFUSE"))
                .statusCode(200)
                .body("text", equalTo("0.05 left"))
                .body("name", equalTo("organisation/day"));
        tenant.put(Tenant.path(Tenant.draw()), HOUR).statusCode(201);
        tenant.put(Tenant.path(Tenant.draw()), HOUR).statusCode(201);
        tenant.put(Tenant.path(Tenant.draw()), HOUR)
                .statusCode(422)
                .body("code", equalTo("budget-exceeded"))
                .body("retryable", equalTo(false))
                .body("limit.name", equalTo("budget/organisation/day"))
                .body("limit.asked", equalTo(20_000_000))
                .body("limit.allowed", equalTo(50_000_000));
        tenant.get("/v1/machines").body("items", hasSize(2));
        tenant.get(PATH).body("items[0].nanosPerSecond", equalTo(2_000_000)).body("items[0].lasts", notNullValue());
    }

    @Test
    void listSaysWhyLessThanTheCapIsLeft() {
        set(100, threshold(50, "NOTIFY"), threshold(80, "REFUSE"), threshold(90, "END"))
                .body(
                        "text",
                        equalTo(
                                "80.00 left. Of the cap of 100.00: no more machines are made from 80.00 on (80 %, REFUSE)"));
        tenant.put(Tenant.path(Tenant.draw()), HOUR).statusCode(201);
        tenant.get(PATH)
                .body(
                        "items[0].text",
                        containsString("0.02 is put by for the next 20 seconds of the machines there are"))
                .body("items[0].text", containsString(" is left for another one"));
    }

    @Test
    void machinesEndBeforeMoreIsSpent() {
        set(0.022, threshold(10, "NOTIFY"), threshold(100, "END")).statusCode(200);
        String id = Tenant.draw();
        tenant.put(Tenant.path(id), Map.of("gpu", GPU, "life", "PT1H", "tokenSha256", "ab".repeat(32)))
                .statusCode(201);
        tenant.await(id, "READY");
        tenant.get(Tenant.path(id) + "/grants").body("items[0].expires", notNullValue());
        await(
                "the machine ends",
                () -> "ENDED".equals(tenant.get(Tenant.path(id)).extract().path("state")));
        tenant.get(Tenant.path(id)).body("text", containsString("budget organisation/day is used up"));
        tenant.get(PATH)
                .body("items[0].spentNanos", lessThanOrEqualTo(22_000_000))
                .body("items[0].reached", hasItem("10 NOTIFY"));
        tenant.get("/v1/audit").body("items.action", hasItem("budget.reached"));
        tenant.put(Tenant.path(Tenant.draw()), HOUR).statusCode(422);
    }

    @Test
    void machineOfARemovedBudgetGoesOn() {
        set(1, threshold(100, "END")).statusCode(200);
        String id = Tenant.draw();
        tenant.put(Tenant.path(id), Map.of("gpu", GPU, "life", "PT1H", "tokenSha256", "ab".repeat(32)))
                .statusCode(201);
        tenant.await(id, "READY");
        String grants = Tenant.path(id) + "/grants";
        tenant.get(grants).body("items[0].expires", notNullValue());
        tenant.delete(PATH + "?period=DAY").statusCode(204);
        await("the hold is gone", () -> tenant.get(grants).extract().path("items[0].expires") == null);
        tenant.delete(PATH + "?period=DAY").statusCode(404);
    }

    @Test
    void budgetsOfProjectAndKeyAreNested() {
        tenant.put("/v1/projects/vision", Map.of()).statusCode(200);
        Tenant other = tenant.with(Map.of("name", "o", "scopes", List.of("READ", "MACHINES")));
        String key = other.key().split("_")[1];
        tenant.put(PATH, Map.of("project", "vision", "period", "MONTH", "cap", 0.01))
                .statusCode(200);
        tenant.put(PATH, Map.of("key", key, "period", "LIFETIME", "cap", 0.03)).statusCode(200);
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", GPU, "life", "PT1H", "project", "vision"))
                .statusCode(422)
                .body("limit.name", equalTo("budget/project/vision/month"));
        tenant.put(Tenant.path(Tenant.draw()), HOUR).statusCode(201);
        other.put(Tenant.path(Tenant.draw()), HOUR).statusCode(201);
        other.put(Tenant.path(Tenant.draw()), HOUR)
                .statusCode(422)
                .body("limit.name", equalTo("budget/key/" + key + "/lifetime"));
        tenant.get(PATH).body("items.name", hasSize(2));
        tenant.get(PATH + "?limit=1").body("items", hasSize(1)).body("next", notNullValue());
    }

    @Test
    void deploymentStartsNoReplicaThatDoesNotFit() {
        set(0.01, threshold(100, "REFUSE")).statusCode(200);
        tenant.put("/v1/deployments/chat", Map.of("model", "file:/m", "gpu", GPU, "min", 1))
                .statusCode(201);
        await(
                "the deployment does not say why",
                () -> tenant.get("/v1/deployments/chat")
                        .extract()
                        .<String>path("text")
                        .startsWith("budget organisation/day"));
        tenant.get("/v1/machines").body("items", hasSize(0));
    }

    @Test
    void malformedBudgetIsRefusedNamingTheField() {
        tenant.put(PATH, Map.of("cap", 1)).statusCode(422).body("detail", containsString("period"));
        tenant.put(PATH, Map.of("period", "DAY")).statusCode(422).body("detail", containsString("cap"));
        tenant.put(PATH, Map.of("period", "DAY", "cap", -1)).statusCode(422);
        set(1).statusCode(422).body("detail", containsString("thresholds"));
        set(1, threshold(0, "END")).statusCode(422).body("detail", containsString("percent"));
        set(1, Map.of("percent", 1)).statusCode(422).body("detail", containsString("action"));
        tenant.put(PATH, Map.of("period", "DAY", "cap", 1, "project", "none")).statusCode(404);
        tenant.put(PATH, Map.of("period", "DAY", "cap", 1, "key", "nokey")).statusCode(404);
        tenant.get(PATH + "?cursor=YQ").statusCode(422);
    }

    @Test
    void changeOfAStaleVersionIsRefused() {
        String tag = set(1, threshold(100, "END")).extract().header("ETag");
        set(2, threshold(100, "END")).statusCode(200).body("version", equalTo(2));
        tenant.request()
                .header("If-Match", tag)
                .body(Map.of("period", "DAY", "cap", 3))
                .put(PATH)
                .then()
                .statusCode(412);
    }

    @Test
    void onlyAdministratorsSetBudgetsAndOnlyTheirOwn() {
        set(1, threshold(100, "END")).statusCode(200);
        Tenant reader = tenant.withScopes("READ", "MACHINES");
        reader.get(PATH).statusCode(200);
        reader.put(PATH, Map.of("period", "DAY", "cap", 9)).statusCode(403);
        reader.delete(PATH + "?period=DAY").statusCode(403);
        Tenant other = Tenant.create();
        other.get(PATH).body("items", hasSize(0));
        other.delete(PATH + "?period=DAY").statusCode(404);
        String key = tenant.key().split("_")[1];
        other.put(PATH, Map.of("key", key, "period", "DAY", "cap", 1)).statusCode(404);
    }
}
