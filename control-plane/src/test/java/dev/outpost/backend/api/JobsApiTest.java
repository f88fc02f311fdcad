package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests jobs, their programs, schedules and secrets over the API. Machines are simulated, so no runner comes. */
class JobsApiTest {
    private static final byte[] PROGRAM = "a jar, for all that the backend knows".getBytes(StandardCharsets.UTF_8);

    private final Tenant tenant = Tenant.create();

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Response send(Tenant by, String sha256, int size, int from, byte[] part) {
        return given().baseUri(BackendProcess.shared().address())
                .header("Authorization", "Bearer " + by.key())
                .contentType("application/octet-stream")
                .body(part)
                .put("/v1/files/" + sha256 + "?size=" + size + "&from=" + from);
    }

    private String upload() {
        send(tenant, sha256(PROGRAM), PROGRAM.length, 0, PROGRAM)
                .then()
                .statusCode(200)
                .body("complete", equalTo(true));
        return sha256(PROGRAM);
    }

    private Map<String, Object> wish(Object... fields) {
        Map<String, Object> wish =
                new LinkedHashMap<>(Map.of("gpu", "A100", "program", upload(), "programName", "app.jar"));
        for (int i = 0; i < fields.length; i += 2) {
            wish.put((String) fields[i], fields[i + 1]);
        }
        return wish;
    }

    private String submit(Object... fields) {
        String id = Tenant.draw();
        tenant.put("/v1/jobs/" + id, wish(fields)).statusCode(201);
        return id;
    }

    private String phase(String id) {
        return tenant.get("/v1/jobs/" + id).statusCode(200).extract().path("phase");
    }

    private void await(String id, String phase) {
        Await.until("the job is " + phase, () -> phase(id).equals(phase));
    }

    @Test
    void programIsSentInPartsAndCompleteOnceItHasItsHash() {
        byte[] bytes = new byte[300];
        String hash = sha256(bytes);
        byte[] half = new byte[150];
        send(tenant, hash, 300, 0, half).then().body("next", equalTo(150)).body("complete", equalTo(false));
        send(tenant, hash, 300, 0, half).then().body("next", equalTo(150));
        send(tenant, hash, 300, 200, half).then().statusCode(422);
        tenant.put("/v1/jobs/" + Tenant.draw(), Map.of("program", hash)).statusCode(422);
        send(tenant, hash, 300, 150, half).then().body("complete", equalTo(true));
        Tenant.create().get("/v1/files/" + hash).statusCode(404);

        String wrong = "ab".repeat(32);
        send(tenant, wrong, 3, 0, new byte[3]).then().statusCode(422);
        tenant.get("/v1/files/" + wrong).statusCode(404);
    }

    @Test
    void jobIsAskedForOnceAndCancelled() {
        String id = submit("retries", 2, "arguments", List.of("--epochs", "3"));
        tenant.put("/v1/jobs/" + id, wish("retries", 2, "arguments", List.of("--epochs", "3")))
                .statusCode(200);
        tenant.put("/v1/jobs/" + id, wish("retries", 1)).statusCode(409);
        await(id, "STARTING");
        String machine = tenant.get("/v1/jobs/" + id).extract().path("machine");
        tenant.await(machine, "READY");
        tenant.get("/v1/machines/" + machine).body("owner", equalTo("job app.jar"));
        tenant.post("/v1/jobs/" + id + ":cancel", Map.of()).statusCode(200).body("phase", equalTo("CANCELLED"));
        tenant.post("/v1/jobs/" + id + ":cancel", Map.of()).body("phase", equalTo("CANCELLED"));
        tenant.await(machine, "ENDED");
        tenant.get("/v1/jobs/" + id).body("events.phase", hasItems("WAITING", "STARTING", "CANCELLED"));
    }

    @Test
    void jobsOfOtherTenantsAreNotFound() {
        String id = submit();
        Tenant other = Tenant.create();
        for (String path : List.of("", "/log", "/artefacts", "/artefact?path=x")) {
            other.get("/v1/jobs/" + id + path).statusCode(404);
        }
        other.post("/v1/jobs/" + id + ":cancel", Map.of()).statusCode(404);
        other.put("/v1/jobs/" + id, wish()).statusCode(404).extract();
        assertFalse(other.get("/v1/jobs").extract().asString().contains(id));
    }

    @Test
    void whatCannotBeIsRefused() {
        Map<String, Object> bad = Map.of(
                "programName",
                "app.sh",
                "retries",
                21,
                "timeout",
                "PT0S",
                "environment",
                Map.of("OUTPOST_X", "1"),
                "secrets",
                List.of("NO_SUCH"),
                "gpu",
                "no-such-gpu");
        bad.forEach((field, value) ->
                tenant.put("/v1/jobs/" + Tenant.draw(), wish(field, value)).statusCode(422));
    }

    @Test
    void runnerWithoutTheTokenOfItsRunIsRefused() {
        for (String token : List.of(tenant.key(), "jr_" + UUID.randomUUID() + "_" + "A".repeat(43), "")) {
            given().baseUri(BackendProcess.shared().address())
                    .header("Authorization", "Bearer " + token)
                    .contentType("application/json")
                    .body(Map.of("runner", UUID.randomUUID().toString(), "tokenSha256", "ab".repeat(32)))
                    .post("/v1/runner/begin")
                    .then()
                    .statusCode(401);
        }
    }

    @Test
    void secretIsNeverShownAgain() {
        tenant.put("/v1/secrets/HF_TOKEN", Map.of("value", "hunter2hunter2")).statusCode(200);
        tenant.put("/v1/secrets/HF_TOKEN", Map.of("value", "hunter3hunter3")).body("version", equalTo(2));
        submit("secrets", List.of("HF_TOKEN"));
        String shown = tenant.get("/v1/secrets").extract().asString()
                + tenant.get("/v1/audit").extract().asString()
                + tenant.get("/v1/jobs").extract().asString();
        assertTrue(shown.contains("HF_TOKEN") && !shown.contains("hunter"), shown);
        BackendProcess.shared().rows().forEach(row -> assertFalse(row.contains("hunter"), row));
        assertFalse(BackendProcess.shared().log().contains("hunter"));
        Tenant.create().delete("/v1/secrets/HF_TOKEN").statusCode(404);
        tenant.delete("/v1/secrets/HF_TOKEN").statusCode(204);
        tenant.put("/v1/secrets/OUTPOST_X", Map.of("value", "x")).statusCode(422);
    }

    @Test
    void scheduleMakesItsNextJobByTheClock() {
        Map<String, Object> request = Map.of("cron", "* * * * *", "zone", "Europe/Oslo", "job", wish());
        tenant.put("/v1/schedules/nightly", request)
                .statusCode(201)
                .body("next", notNullValue())
                .body("missed", equalTo("SKIP"));
        assertEquals(
                412,
                tenant.request()
                        .header("If-Match", "\"7\"")
                        .body(request)
                        .put("/v1/schedules/nightly")
                        .statusCode());
        tenant.put("/v1/schedules/nightly", Map.of("cron", "61 * * * *", "job", wish()))
                .statusCode(422);
        Tenant.create().get("/v1/schedules/nightly").statusCode(404);
        tenant.get("/v1/schedules").body("items.name", hasItems("nightly"));
        tenant.delete("/v1/schedules/nightly").statusCode(204);
    }

    @Test
    void webhookShowsItsSecretOnceAndListsWhatItSent() {
        String id = Tenant.draw();
        Map<String, Object> request = Map.of("url", "http://127.0.0.1:9/hook", "types", List.of("job."));
        String secret = tenant.put("/v1/webhooks/" + id, request)
                .statusCode(201)
                .extract()
                .path("secret");
        assertTrue(secret.startsWith("whsec_"));
        tenant.put("/v1/webhooks/" + id, request).statusCode(200).body("secret", equalTo(null));
        assertFalse(tenant.get("/v1/webhooks").extract().asString().contains(secret));
        BackendProcess.shared().rows().forEach(row -> assertFalse(row.contains(secret), row));

        submit();
        String delivery = tenant.get("/v1/webhooks/" + id + "/deliveries")
                .statusCode(200)
                .body("items.type", hasItems("job.waiting"))
                .extract()
                .path("items[-1].id")
                .toString();
        tenant.post("/v1/webhooks/" + id + "/deliveries/" + delivery + ":redeliver", Map.of())
                .statusCode(202);
        Tenant other = Tenant.create();
        other.get("/v1/webhooks/" + id + "/deliveries").statusCode(404);
        other.delete("/v1/webhooks/" + id).statusCode(404);
        tenant.withScopes("READ", "MACHINES").get("/v1/webhooks").statusCode(403);
        tenant.delete("/v1/webhooks/" + id).statusCode(204);
    }
}
