package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Quotas limit the bytes that an organisation stores. */
class StoredBytesApiTest {
    private final Tenant tenant = Tenant.create();

    private ValidatableResponse send(int size, int fill) {
        byte[] bytes = new byte[size];
        java.util.Arrays.fill(bytes, (byte) fill);
        try {
            String hash = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
            return tenant.request()
                    .contentType(ContentType.BINARY)
                    .queryParam("size", size)
                    .body(bytes)
                    .put("/v1/files/" + hash)
                    .then();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Test
    void theStricterOfTheLimitsHolds() {
        Map<String, ?> quota = Map.of("resource", "STORED_BYTES", "allowed", 1_000);
        tenant.put("/v1/quotas", quota).statusCode(200).body("used", equalTo(0));
        send(600, 1).statusCode(200);
        tenant.get("/v1/quotas").body("items[0].used", equalTo(600)).body("items[0].left", equalTo(400));
        send(600, 2)
                .statusCode(422)
                .body("code", equalTo("quota-exceeded"))
                .body("limit.name", equalTo("organisation/stored-bytes"))
                .body("limit.used", equalTo(600))
                .body("limit.asked", equalTo(600))
                .body("detail", containsString("programs that no job refers to go after a day"));
        send(300, 3).statusCode(200);
        Tenant.operator()
                .put(
                        "/v1/organisations/" + tenant.name() + "/quotas",
                        Map.of("resource", "STORED_BYTES", "allowed", 900))
                .statusCode(200);
        send(50, 4).statusCode(422).body("limit.name", equalTo("operator/stored-bytes"));
        Tenant.operator()
                .put(
                        "/v1/organisations/" + tenant.name() + "/quotas",
                        Map.of("resource", "STORED_BYTES", "allowed", 2_000))
                .statusCode(200);
        send(50, 4).statusCode(200);
    }

    @Test
    void aQuotaOfBytesIsOfAWholeOrganisation() {
        tenant.put("/v1/quotas", Map.of("resource", "STORED_BYTES", "allowed", 1, "gpu", "A100"))
                .statusCode(422)
                .body("detail", containsString("bytes are counted for all kinds together"));
        tenant.put("/v1/quotas", Map.of("resource", "STORED_BYTES", "allowed", 1, "project", "default"))
                .statusCode(422)
                .body("detail", containsString("counted for the whole organisation"));
    }
}
