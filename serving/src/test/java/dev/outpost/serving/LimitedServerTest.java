package dev.outpost.serving;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Tests a server that authenticates its callers, computes one text at a time, lets one wait, and ends on request. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LimitedServerTest {
    private static final String KEY = "Bearer sesame";
    private static final int ATTEMPTS = 50;

    private static ServingProcess server;

    @BeforeAll
    static void start() throws IOException {
        Path keys = Files.createTempFile("keys", ".txt");
        Files.writeString(keys, "# of a test\nalice:sesame\n");
        server = ServingProcess.start(
                "--model",
                "text=" + TestModels.text(),
                "--api-keys-file",
                keys.toString(),
                "--texts",
                "1",
                "--waiting",
                "1",
                "--text-tokens",
                "1024");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static RequestSpecification with(String authorization) {
        return given().baseUri(server.root()).contentType(ContentType.JSON).header("Authorization", authorization);
    }

    /** Requests an answer of 900 tokens. */
    private static Socket stream() throws IOException {
        return RequestStorm.post(server, "Authorization: " + KEY + "\r\n", HttpTest.LONG_STREAM);
    }

    @Test
    void onlyKnownKeysAreLetIn() {
        given().baseUri(server.root())
                .get("/v1/models")
                .then()
                .statusCode(401)
                .body("error.code", equalTo("invalid_api_key"));
        with("Bearer wrong").get("/v1/models").then().statusCode(401);
        with(KEY).get("/v1/models").then().statusCode(200);
        given().baseUri(server.root()).get("/health/ready").then().statusCode(200);
    }

    @Test
    void tooManyAreToldWhenToComeBack() throws Exception {
        Optional<Response> refused = Optional.empty();
        for (int attempt = 0; attempt < ATTEMPTS && refused.isEmpty(); attempt++) {
            try (Socket running = stream()) {
                assertTrue(running.getInputStream().read() >= 0);
                try (Socket waiting = stream()) {
                    refused = refusal();
                }
            }
        }
        refused.orElseThrow()
                .then()
                .header("Retry-After", value -> Integer.parseInt(value), greaterThanOrEqualTo(1))
                .body("error.code", equalTo("rate_limit_exceeded"));
    }

    /** Returns the refusal; empty if the other requests had ended, or came after this one. */
    private static Optional<Response> refusal() {
        Response answer = with(KEY)
                .body("{\"model\": \"text\", \"prompt\": \"x\", \"max_tokens\": 1}")
                .post("/v1/completions");
        return answer.statusCode() == 429 ? Optional.of(answer) : Optional.empty();
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void serverThatIsToldToEndFinishesItsStreams() throws Exception {
        try (Socket stream = stream()) {
            assertTrue(stream.getInputStream().read() >= 0);
            server.process().destroy();
            String rest = new String(stream.getInputStream().readNBytes(1 << 20), StandardCharsets.UTF_8);
            assertTrue(rest.contains("data: [DONE]"), () -> rest.substring(Math.max(0, rest.length() - 300)));
        }
        assertEquals(143, server.process().waitFor());
    }
}
