package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.tests.Await;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GrantsApiTest {
    private static final String HASH = "cd".repeat(32);
    private static final String OTHER = "ef".repeat(32);

    private final Tenant tenant = Tenant.create();
    private final String id = tenant.startReady();
    private final String path = Tenant.path(id) + "/grants";

    private ValidatableResponse add(Map<String, ?> grant) {
        return tenant.post(path, grant);
    }

    private void awaitTold(String hash) {
        String told = "items.find { it.tokenSha256 == '" + hash + "' }.told";
        Await.until(
                "the machine is told of its grant",
                () -> tenant.get(path).extract().path(told).equals(true));
    }

    @Test
    void grantIsBoundChangedAndRevokedOnTheMachine() {
        String tag = add(Map.of("tokenSha256", HASH, "owner", "bob", "memoryBytes", 1 << 20, "sessions", 2))
                .statusCode(202)
                .body("weight", equalTo(100))
                .body("sessions", equalTo(2))
                .extract()
                .header("ETag");
        awaitTold(HASH);
        tenant.request()
                .header("If-Match", tag)
                .body(Map.of("weight", 300, "expires", "2100-01-01T00:00:00Z"))
                .put(path + "/" + HASH)
                .then()
                .statusCode(202)
                .body("weight", equalTo(300))
                .body("memoryBytes", nullValue())
                .body("told", equalTo(false));
        awaitTold(HASH);
        tenant.get(path)
                .body("items", hasSize(1))
                .body("items.owner", hasItem("bob"))
                .body("items[0].expires", equalTo("2100-01-01T00:00:00Z"));
        tenant.delete(path + "/" + HASH).statusCode(204);
        tenant.get(path).body("items[0].revoked", notNullValue());
        awaitTold(HASH);
    }

    @Test
    void repeatedGrantChangesNothing() {
        add(Map.of("tokenSha256", HASH, "weight", 200)).statusCode(202).body("version", equalTo(1));
        add(Map.of("tokenSha256", HASH))
                .statusCode(202)
                .body("version", equalTo(1))
                .body("weight", equalTo(200));
        tenant.get(path).body("items", hasSize(1));
    }

    @Test
    void pagesTogetherHaveEachGrantOnce() {
        List<String> hashes = IntStream.range(10, 15)
                .mapToObj(number -> Integer.toString(number).repeat(32))
                .toList();
        hashes.forEach(hash -> add(Map.of("tokenSha256", hash)).statusCode(202));
        List<String> seen = new ArrayList<>();
        String next = path + "?limit=2";
        while (next != null) {
            ValidatableResponse page = tenant.get(next).statusCode(200);
            seen.addAll(page.extract().path("items.tokenSha256"));
            String cursor = page.extract().path("next");
            next = cursor == null ? null : path + "?limit=2&cursor=" + cursor;
        }
        assertEquals(hashes, seen);
        tenant.get(path + "?cursor=YQ").statusCode(422).body("detail", containsString("cursor"));
        tenant.get(path + "?limit=0").statusCode(422).body("detail", containsString("limit"));
    }

    @Test
    void changeOfAStaleVersionIsRefused() {
        String tag = add(Map.of("tokenSha256", HASH)).extract().header("ETag");
        tenant.put(path + "/" + HASH, Map.of("weight", 200)).statusCode(202);
        tenant.request()
                .header("If-Match", tag)
                .body(Map.of("weight", 300))
                .put(path + "/" + HASH)
                .then()
                .statusCode(412)
                .body("code", equalTo("changed-since"));
        tenant.get(path).body("items[0].weight", equalTo(200));
    }

    @Test
    void revokedGrantStaysRevoked() {
        add(Map.of("tokenSha256", HASH)).statusCode(202);
        tenant.delete(path + "/" + HASH).statusCode(204);
        tenant.delete(path + "/" + HASH).statusCode(404);
        add(Map.of("tokenSha256", HASH)).statusCode(409).body("detail", containsString("draw another token"));
        tenant.put(path + "/" + HASH, Map.of("weight", 200)).statusCode(409);
    }

    @Test
    void malformedGrantIsRefusedNamingTheField() {
        add(Map.of("tokenSha256", "short")).statusCode(422).body("detail", containsString("tokenSha256"));
        add(Map.of()).statusCode(422);
        add(Map.of("tokenSha256", HASH, "weight", 0))
                .statusCode(422)
                .body("detail", containsString("weight: expected 1"));
        add(Map.of("tokenSha256", HASH, "weight", 10_001)).statusCode(422);
        add(Map.of("tokenSha256", HASH, "memoryBytes", 0)).statusCode(422).body("detail", containsString("memory"));
        add(Map.of("tokenSha256", HASH, "sessions", -1)).statusCode(422).body("detail", containsString("sessions"));
        add(Map.of("tokenSha256", HASH, "expires", "2020-01-01T00:00:00Z"))
                .statusCode(422)
                .body("detail", containsString("a time to come"));
        add(Map.of("tokenSha256", HASH, "colour", "blue")).statusCode(400);
        add(Map.of("tokenSha256", HASH)).statusCode(202);
        tenant.put(path + "/" + HASH, Map.of("tokenSha256", OTHER)).statusCode(422);
        tenant.put(path + "/" + OTHER, Map.of("weight", 200)).statusCode(404);
        tenant.delete(path + "/" + OTHER).statusCode(404);
        tenant.get(path).body("items", hasSize(1));
    }

    @Test
    void readScopeCannotGrant() {
        Tenant reader = tenant.withScopes("READ");
        reader.get(path).statusCode(200);
        reader.post(path, Map.of("tokenSha256", HASH)).statusCode(403);
        reader.put(path + "/" + HASH, Map.of()).statusCode(403);
        reader.delete(path + "/" + HASH).statusCode(403);
    }

    @Test
    void grantsOfAnotherTenantAreNotFound() {
        add(Map.of("tokenSha256", HASH)).statusCode(202);
        Tenant other = Tenant.create();
        other.get(path).statusCode(404);
        other.post(path, Map.of("tokenSha256", OTHER)).statusCode(404);
        other.put(path + "/" + HASH, Map.of("weight", 1)).statusCode(404);
        other.delete(path + "/" + HASH).statusCode(404);
        tenant.get(path).body("items[0].weight", equalTo(100));
    }

    @Test
    void endedMachineTakesNoGrants() {
        tenant.post(Tenant.path(id) + ":end", Map.of()).statusCode(202);
        tenant.await(id, "ENDED");
        add(Map.of("tokenSha256", HASH)).statusCode(409);
    }
}
