package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.response.ValidatableResponse;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SharingApiTest {
    private static final String ADA = "a1".repeat(32);
    private static final String GRACE = "b2".repeat(32);

    private final Tenant tenant = Tenant.create();
    private String machine;

    @BeforeEach
    void start() {
        machine = "/v1/machines/" + tenant.startReady();
    }

    private ValidatableResponse grant(Map<String, Object> body) {
        return tenant.request().body(body).post(machine + "/grants").then();
    }

    @Test
    void machineIsExclusiveUnlessItIsShared() {
        tenant.get(machine + "/sharing").body("mode", equalTo("EXCLUSIVE")).body("memoryBytes", nullValue());
        tenant.put(machine + "/sharing", Map.of("mode", "SHARED", "memoryBytes", 100))
                .statusCode(200);
        tenant.get(machine + "/sharing").body("mode", equalTo("SHARED")).body("memoryBytes", equalTo(100));
        tenant.put(machine + "/sharing", Map.of("mode", "EXCLUSIVE")).statusCode(200);
        tenant.get(machine + "/sharing").body("mode", equalTo("EXCLUSIVE"));
        tenant.put(machine + "/sharing", Map.of("mode", "SHARED")).statusCode(422);
    }

    @Test
    void partsOfTheMemoryFit() {
        tenant.put(machine + "/sharing", Map.of("mode", "SHARED", "memoryBytes", 100))
                .statusCode(200);
        grant(Map.of("tokenSha256", ADA)).statusCode(409).body("detail", containsString("name memoryBytes"));
        grant(Map.of("tokenSha256", ADA, "memoryBytes", 60)).statusCode(202);
        grant(Map.of("tokenSha256", GRACE, "memoryBytes", 41))
                .statusCode(409)
                .body("detail", containsString("40 of 100 bytes are left"));
        tenant.put(machine + "/grants/" + ADA, Map.of("memoryBytes", 59)).statusCode(202);
        grant(Map.of("tokenSha256", GRACE, "memoryBytes", 41)).statusCode(202);
        tenant.put(machine + "/sharing", Map.of("mode", "SHARED", "memoryBytes", 99))
                .statusCode(409)
                .body("detail", containsString("more than the 99"));
        tenant.delete(machine + "/grants/" + ADA).statusCode(204);
        tenant.put(machine + "/sharing", Map.of("mode", "SHARED", "memoryBytes", 99))
                .statusCode(200);
    }

    @Test
    void observerNeedsNoPartOfTheMemory() {
        tenant.put(machine + "/sharing", Map.of("mode", "SHARED", "memoryBytes", 100))
                .statusCode(200);
        grant(Map.of("tokenSha256", ADA, "role", "OBSERVE")).statusCode(202).body("role", equalTo("OBSERVE"));
        grant(Map.of("tokenSha256", GRACE, "role", "MANAGE")).statusCode(400);
    }

    @Test
    void otherTenantsMachineIsNotFound() {
        Tenant other = Tenant.create();
        other.get(machine + "/sharing").statusCode(404);
        other.put(machine + "/sharing", Map.of("mode", "SHARED", "memoryBytes", 100))
                .statusCode(404);
    }
}
