package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.response.ValidatableResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Model servers report the token use of texts, repeatedly if necessary; the backend counts it once, prices it, and enforces quotas. */
class TokenUsageApiTest {
    private static final String PATH = "/v1/token-usage";

    private final Tenant tenant = Tenant.create();
    private final String model = "chat-" + UUID.randomUUID();
    private final Map<String, String> key = key();

    /** Its id and its secret. */
    private Map<String, String> key() {
        ValidatableResponse made = tenant.post("/v1/keys", Map.of("name", "app", "scopes", List.of("READ", "MACHINES")))
                .statusCode(201);
        return Map.of("id", made.extract().path("id"), "secret", made.extract().path("key"));
    }

    private Map<String, ?> entry(int promptTokens, int newTokens) {
        return Map.of(
                "keyId",
                key.get("id"),
                "model",
                model,
                "at",
                Instant.now().toString(),
                "texts",
                1,
                "promptTokens",
                promptTokens,
                "cachedTokens",
                4,
                "newTokens",
                newTokens,
                "seconds",
                2);
    }

    private void show() {
        tenant.post("/v1/gateways:admit", Map.of("key", key.get("secret"))).statusCode(200);
    }

    private ValidatableResponse send(UUID id, List<Map<String, ?>> records) {
        return tenant.post(PATH, Map.of("id", id.toString(), "records", records));
    }

    @Test
    void aBatchThatIsSentAgainIsCountedOnce() {
        Tenant.operator()
                .put(
                        "/v1/token-prices",
                        Map.of("model", model, "perMillionPrompt", 1, "perMillionCached", 0.5, "perMillionNew", 3))
                .statusCode(200)
                .body("newNanos", equalTo(3000));
        show();
        UUID id = UUID.randomUUID();
        List<Map<String, ?>> records = List.of(entry(10, 5), entry(20, 7));
        send(id, records).statusCode(200).body("isRepeated", equalTo(false)).body("records", equalTo(2));
        send(id, records).statusCode(200).body("isRepeated", equalTo(true));
        send(id, List.of(entry(1, 1))).statusCode(409);
        tenant.get(PATH)
                .statusCode(200)
                .body("items", hasSize(1))
                .body("items[0].keyId", equalTo(key.get("id")))
                .body("items[0].texts", equalTo(2))
                .body("items[0].promptTokens", equalTo(30))
                .body("items[0].cachedTokens", equalTo(8))
                .body("items[0].newTokens", equalTo(12))
                .body("items[0].seconds", equalTo(4))
                .body("totalNanos", equalTo(22 * 1000 + 8 * 500 + 12 * 3000));
    }

    @Test
    void whatCannotBeIsRefusedWhole() {
        show();
        send(UUID.randomUUID(), List.of(entry(10, 5), entry(1, 5)))
                .statusCode(422)
                .body("detail", containsString("cachedTokens"));
        tenant.post(
                        PATH,
                        Map.of(
                                "id",
                                UUID.randomUUID().toString(),
                                "records",
                                List.of(Map.of(
                                        "keyId",
                                        "nobody",
                                        "model",
                                        model,
                                        "at",
                                        Instant.now().toString()))))
                .statusCode(404);
        tenant.get(PATH).body("items", hasSize(0));
    }

    /** A caller that does not know the secret of a key cannot bill it. */
    @Test
    void usageOfAKeyThatWasNotShownIsRefused() {
        Tenant other = tenant.withScopes("READ", "MACHINES");
        show();
        other.post(PATH, Map.of("id", UUID.randomUUID().toString(), "records", List.of(entry(10, 5))))
                .statusCode(403)
                .body("detail", containsString("was not shown"));
        tenant.get(PATH).body("items", hasSize(0));
        other.post("/v1/gateways:admit", Map.of("key", key.get("secret"))).statusCode(200);
        other.post(PATH, Map.of("id", UUID.randomUUID().toString(), "records", List.of(entry(10, 5))))
                .statusCode(200);
    }

    @Test
    void budgetCountsTokensAndEndsThem() {
        Tenant.operator()
                .put("/v1/token-prices", Map.of("model", model, "perMillionNew", 1_000_000))
                .statusCode(200);
        Tenant.operator().put("/v1/prices", Map.of("gpu", "L4", "perHour", 1)).statusCode(200);
        tenant.put("/v1/budgets", Map.of("period", "DAY", "cap", 6)).statusCode(200);
        show();
        send(UUID.randomUUID(), List.of(entry(10, 5))).statusCode(200);
        tenant.get("/v1/budgets").body("items[0].spentNanos", equalTo(5_000_000_000L));
        tenant.post("/v1/gateways:admit", Map.of("key", key.get("secret"))).body("tokensLeft", nullValue());
        send(UUID.randomUUID(), List.of(entry(10, 1))).statusCode(200);
        tenant.post("/v1/gateways:admit", Map.of("key", key.get("secret"))).body("tokensLeft", equalTo(0));
        tenant.put(Tenant.path(Tenant.draw()), Map.of("gpu", "L4", "life", "PT1H"))
                .statusCode(422)
                .body("code", equalTo("budget-exceeded"));
    }

    /** The sums exceed the database's numbers, and the page still works. */
    @Test
    void sumsBeyondTheLargestNumberAreShownAsIt() {
        Tenant.operator()
                .put("/v1/token-prices", Map.of("model", model, "perMillionNew", 1_000_000))
                .statusCode(200);
        show();
        Map<String, Object> most = new java.util.HashMap<>(entry(10, 5));
        most.put("newTokens", 1_000_000_000_000L);
        for (int i = 0; i < 3; i++) {
            send(UUID.randomUUID(), java.util.Collections.nCopies(20, most)).statusCode(200);
        }
        tenant.get(PATH).statusCode(200).body("totalNanos", equalTo(Long.MAX_VALUE));
        tenant.put("/v1/budgets", Map.of("period", "DAY", "cap", 6)).statusCode(200);
        tenant.get("/v1/budgets").statusCode(200);
    }

    @Test
    void aQuotaOfTokensIsToldToServersAndHoldsNoMachine() {
        Map<String, ?> shown = Map.of("key", key.get("secret"));
        tenant.post("/v1/gateways:admit", shown)
                .statusCode(200)
                .body("billed", equalTo("default"))
                .body("tokensLeft", nullValue());
        tenant.put("/v1/quotas", Map.of("resource", "TOKENS_PER_MONTH", "allowed", 20))
                .statusCode(200);
        send(UUID.randomUUID(), List.of(entry(10, 5))).statusCode(200);
        tenant.post("/v1/gateways:admit", shown).body("tokensLeft", equalTo(5));
        send(UUID.randomUUID(), List.of(entry(10, 5))).statusCode(200);
        tenant.post("/v1/gateways:admit", shown).body("tokensLeft", equalTo(0));
        tenant.get("/v1/quotas").body("items[0].used", equalTo(30));
        String id = Tenant.draw();
        tenant.put(Tenant.path(id), Map.of("gpu", "T4", "life", "PT1H")).statusCode(201);
        tenant.await(id, "READY");
    }
}
