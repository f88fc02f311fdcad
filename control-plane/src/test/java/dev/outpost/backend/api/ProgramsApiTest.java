package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProgramsApiTest {
    private static final String PATH = "/v1/programs/score";
    private static final byte[] FILE = "a program".getBytes(StandardCharsets.UTF_8);

    private final Tenant tenant = Tenant.create();

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Map<String, Object> program(String file) {
        return new TreeMap<>(Map.of(
                "file",
                file,
                "gpu",
                "L4",
                "inputs",
                List.of("float32[1,4]"),
                "outputs",
                List.of("float32[1,2]"),
                "mostRows",
                32));
    }

    private void send(byte[] file) {
        given().baseUri(BackendProcess.shared().address())
                .header("Authorization", "Bearer " + tenant.key())
                .contentType("application/octet-stream")
                .body(file)
                .put("/v1/files/" + sha256(file) + "?size=" + file.length + "&from=0")
                .then()
                .statusCode(200);
    }

    private ValidatableResponse publish(byte[] file) {
        send(file);
        return tenant.put(PATH, program(sha256(file)));
    }

    @Test
    void publishedProgramIsADeploymentOfItsName() {
        publish(FILE).statusCode(200).body("mostRows", equalTo(32)).body("gpu", equalTo("L4"));
        tenant.get("/v1/programs")
                .statusCode(200)
                .body("items", hasSize(1))
                .body("items[0].inputs", hasItem("float32[1,4]"));
        tenant.get("/v1/deployments/score").body("revisions[0].model", equalTo("program:" + sha256(FILE)));
        byte[] read = tenant.get(PATH + "/file?sha256=" + sha256(FILE))
                .statusCode(200)
                .header("Outpost-Ended", "true")
                .extract()
                .asByteArray();
        assertArrayEquals(FILE, read);
        Map<String, Object> scaled = program(sha256(FILE));
        scaled.put("max", 3);
        tenant.put(PATH, scaled).statusCode(200);
        publish("another".getBytes(StandardCharsets.UTF_8)).statusCode(200);
        tenant.get("/v1/deployments/score").body("revision", equalTo(2)).body("max", equalTo(3));
        tenant.get(PATH).body("file", equalTo(sha256("another".getBytes(StandardCharsets.UTF_8))));
        tenant.delete(PATH).statusCode(202);
        tenant.get(PATH).statusCode(404).body("code", equalTo("not-found"));
        tenant.delete(PATH).statusCode(404);
    }

    @Test
    void wrongProgramsAreRefused() {
        tenant.put(PATH, program(sha256(FILE))).statusCode(404).body("detail", containsString("file"));
        send(FILE);
        Map<String, Object> wrong = program(sha256(FILE));
        wrong.put("inputs", List.of("a type"));
        tenant.put(PATH, wrong).statusCode(422).body("detail", containsString("inputs: expected"));
        wrong.put("inputs", List.of());
        wrong.put("mostRows", -1);
        tenant.put(PATH, wrong).statusCode(422).body("detail", containsString("mostRows: expected 0"));
        tenant.put("/v1/programs/No", program(sha256(FILE))).statusCode(422);
        tenant.put(PATH, program("xyz")).statusCode(422);
        tenant.put("/v1/deployments/chat", Map.of("model", "file:/models/chat")).statusCode(201);
        tenant.put("/v1/programs/chat", program(sha256(FILE)))
                .statusCode(409)
                .body("detail", containsString("a model"));
    }

    @Test
    void refusedChangeIsNotInTheAuditLog() {
        publish(FILE).statusCode(200);
        byte[] other = "another".getBytes(StandardCharsets.UTF_8);
        send(other);
        tenant.request()
                .header("If-Match", "\"7\"")
                .body(program(sha256(other)))
                .put(PATH)
                .then()
                .statusCode(412);
        tenant.request()
                .header("If-Match", "\"7\"")
                .body(program(sha256(other)))
                .put("/v1/programs/missing")
                .then()
                .statusCode(404);
        tenant.get(PATH).body("file", equalTo(sha256(FILE)));
        tenant.get("/v1/audit?limit=500")
                .body("items.findAll { it.action == 'program.publish' }.target", equalTo(List.of("score")));
    }

    @Test
    void anotherTenantSeesNothingOfIt() {
        publish(FILE).statusCode(200);
        Tenant other = Tenant.create();
        other.get("/v1/programs").body("items", hasSize(0));
        other.get(PATH).statusCode(404);
        other.get(PATH + "/file?sha256=" + sha256(FILE)).statusCode(404);
        other.delete(PATH).statusCode(404);
    }
}
