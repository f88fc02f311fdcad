package dev.outpost.serving;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the sent bytes and misbehaving clients. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HttpTest {
    static final String LONG_STREAM =
            "{\"model\": \"text\", \"prompt\": \"x\", \"max_tokens\": 900, \"ignore_eos\": true, \"stream\": true}";

    private static io.restassured.specification.RequestSpecification to(ServingProcess server) {
        return given().baseUri(server.root()).contentType(ContentType.JSON);
    }

    @Test
    void anUnknownArgumentIsRefusedByName() {
        to(ServingProcess.shared())
                .body("{\"model\": \"text\", \"prompt\": \"x\", \"wings\": 2}")
                .post("/v1/completions")
                .then()
                .statusCode(400)
                .body("error.message", equalTo("Unrecognized request argument supplied: wings"))
                .body("error.type", equalTo("invalid_request_error"))
                .body("error.param", equalTo("wings"));
        to(ServingProcess.shared())
                .body("{\"model\": ")
                .post("/v1/completions")
                .then()
                .statusCode(400)
                .body("error.message", containsString("the body is no JSON"));
    }

    @Test
    void aSchemaWithWhatIsNotKnownIsRefused() {
        to(ServingProcess.shared())
                .body(Map.of(
                        "model",
                        "text",
                        "messages",
                        List.of(Map.of("role", "user", "content", "x")),
                        "response_format",
                        Map.of(
                                "type",
                                "json_schema",
                                "json_schema",
                                Map.of("name", "n", "schema", Map.of("type", "array", "uniqueItems", true)))))
                .post("/v1/chat/completions")
                .then()
                .statusCode(400)
                .body(
                        "error.message",
                        equalTo("response_format: JSON schema: the keyword \"uniqueItems\" cannot be enforced"));
    }

    @Test
    void aRequestThatTakesLongerThanItMayIsTold() {
        to(ServingProcess.shared())
                .header("X-Request-Timeout", "0.3")
                .body("{\"model\": \"text\", \"prompt\": \"x\", \"max_tokens\": 1000, \"ignore_eos\": true}")
                .post("/v1/completions")
                .then()
                .statusCode(504)
                .body("error.message", notNullValue());
        awaitIdle(ServingProcess.shared());
    }

    /** The text is complete when its tokens are used up, whatever tokens the model prefers. */
    @Test
    void anyObjectEndsByItsLastToken() {
        for (int tokens : List.of(2, 9, 24)) {
            Response answer = to(ServingProcess.shared())
                    .body(Map.of(
                            "model",
                            "text",
                            "max_tokens",
                            tokens,
                            "messages",
                            List.of(Map.of("role", "user", "content", "x")),
                            "response_format",
                            Map.of("type", "json_object")))
                    .post("/v1/chat/completions");
            answer.then().statusCode(200).body("choices[0].finish_reason", equalTo("stop"));
            String text = answer.path("choices[0].message.content");
            assertTrue(new JsonPath(text).getMap("") != null, text);
        }
    }

    @Test
    void aTextThatIsTooLongForAnEmbedderIsCutAndToldOrRefused() {
        Map<String, Object> request =
                Map.of("model", "embedder", "input", List.of("red", "a house is red. ".repeat(100)));
        to(ServingProcess.shared())
                .body(request)
                .post("/v1/embeddings")
                .then()
                .statusCode(200)
                .body("data[0]", not(hasKey("truncated_from")))
                .body("data[1].truncated_from", greaterThan(100))
                .body("usage.prompt_tokens", lessThan(100));
        Map<String, Object> strict = new HashMap<>(request);
        strict.put("truncate", false);
        to(ServingProcess.shared())
                .body(strict)
                .post("/v1/embeddings")
                .then()
                .statusCode(400)
                .body("error.param", equalTo("input"))
                .body("error.message", containsString("for the text 1; \"truncate\": true cuts it"));
    }

    @Test
    void documentsAreRanked() {
        to(ServingProcess.shared())
                .body(Map.of(
                        "model", "embedder", "query", "red", "documents", List.of("a blue house", "red"), "top_n", 1))
                .post("/v1/rerank")
                .then()
                .statusCode(200)
                .body("results.size()", equalTo(1))
                .body("results[0].index", equalTo(1));
    }

    /** Scores that transformers computes for the same pairs. */
    @Test
    void aRerankerRanksByWhatItSaysOfBothTogether() {
        JsonNode expected = TestModels.expected("reranker");
        List<String> documents =
                expected.get("texts").valueStream().map(JsonNode::asText).toList();
        Response answer = to(ServingProcess.shared())
                .body(Map.of(
                        "model",
                        "reranker",
                        "query",
                        expected.get("query").asText(),
                        "documents",
                        documents,
                        "return_documents",
                        true))
                .post("/v1/rerank");
        answer.then().statusCode(200).body("results.size()", equalTo(documents.size()));
        double before = 1;
        for (int rank = 0; rank < documents.size(); rank++) {
            int index = answer.path("results[" + rank + "].index");
            double relevance = ((Number) answer.path("results[" + rank + "].relevance_score")).doubleValue();
            double wanted = 1 / (1 + Math.exp(-expected.get("scores").get(index).asDouble()));
            assertEquals(wanted, relevance, 1e-4);
            assertEquals(documents.get(index), answer.path("results[" + rank + "].document.text"));
            assertTrue(relevance <= before);
            before = relevance;
        }
    }

    @Test
    void theServerTellsThatItIsReadyAndHowItIs() {
        to(ServingProcess.shared()).get("/health/ready").then().statusCode(200);
        to(ServingProcess.shared())
                .body("{\"model\": \"text\", \"prompt\": \"x\", \"max_tokens\": 4}")
                .post("/v1/completions")
                .then()
                .statusCode(200);
        String metrics = to(ServingProcess.shared()).get("/metrics").asString();
        for (String meter : List.of(
                "vllm:num_requests_running",
                "vllm:num_requests_waiting",
                "vllm:kv_cache_usage_perc",
                "vllm:time_to_first_token_seconds_bucket",
                "vllm:time_per_output_token_seconds_bucket",
                "vllm:e2e_request_latency_seconds_bucket",
                "vllm:generation_tokens_total",
                "vllm:prompt_tokens_total",
                "vllm:num_preemptions_total")) {
            String line = metrics.lines()
                    .filter(one -> one.startsWith(meter) && one.contains("model_name=\"text\""))
                    .findFirst()
                    .orElse("");
            assertTrue(!line.isEmpty(), () -> "no " + meter + " in\n" + metrics);
        }
    }

    /** Readers and generators use the document, so it must describe the answers exactly. */
    @Test
    void theOpenApiDocumentHasTheAnswersMembers() {
        to(ServingProcess.shared())
                .accept("application/json")
                .get("/openapi?format=json")
                .then()
                .statusCode(200)
                .body("paths.keySet()", hasItems("/v1/completions", "/v1/chat/completions", "/v1/embeddings"))
                .body("paths.keySet()", hasItems("/v1/models", "/v1/responses", "/v1/rerank"))
                .body("components.schemas.ChatCompletion.properties.choices", notNullValue())
                .body("components.schemas.Choice.properties.finish_reason", notNullValue());
    }

    @Test
    void blocksOfClientsThatVanishAreFreed() throws Exception {
        ServingProcess server = ServingProcess.shared();
        List<Socket> gone = new ArrayList<>();
        for (int client = 0; client < 6; client++) {
            gone.add(stream(server));
        }
        for (Socket socket : gone) {
            // A part of the answer has arrived, so its text is being generated.
            assertTrue(socket.getInputStream().read() >= 0);
            socket.setSoLinger(true, 0);
            socket.close();
        }
        awaitIdle(server);
    }

    /** A client that does not read delays no other client. */
    @Test
    void aSlowReaderDelaysNobody() throws Exception {
        ServingProcess server = ServingProcess.shared();
        try (Socket slow = stream(server)) {
            for (int request = 0; request < 5; request++) {
                to(server)
                        .body("{\"model\": \"text\", \"prompt\": \"y\", \"max_tokens\": 8, \"ignore_eos\": true}")
                        .post("/v1/completions")
                        .then()
                        .statusCode(200)
                        .body("usage.completion_tokens", equalTo(8));
            }
        }
        awaitIdle(server);
    }

    private static Socket stream(ServingProcess server) throws IOException {
        return RequestStorm.post(server, LONG_STREAM);
    }

    /** Waits until nothing runs or waits, and no block is used. */
    static void awaitIdle(ServingProcess server) {
        List<Double> values = List.of(1.0);
        while (values.stream().anyMatch(value -> value > 0)) {
            values = to(server)
                    .get("/metrics")
                    .asString()
                    .lines()
                    .filter(line -> line.startsWith("vllm:num_requests_") || line.startsWith("vllm:kv_cache_usage"))
                    .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .toList();
        }
        assertTrue(values.size() >= 3);
    }
}
