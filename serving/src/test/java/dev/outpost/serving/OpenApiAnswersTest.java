package dev.outpost.serving;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.restassured.http.ContentType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers have the members and types of the server's OpenAPI document, and no others. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiAnswersTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private JsonNode document;

    @BeforeAll
    void read() throws Exception {
        document = MAPPER.readTree(given().baseUri(ServingProcess.shared().root())
                .accept("application/json")
                .get("/openapi?format=json")
                .asString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /v1/completions      | {"model": "text", "prompt": "x", "max_tokens": 3, "logprobs": 2}
            /v1/chat/completions | {"model": "text", "max_tokens": 3, "logprobs": true, "messages": [{"role": "user", "content": "x"}]}
            /v1/responses        | {"model": "text", "input": "x", "max_output_tokens": 3}
            /v1/embeddings       | {"model": "embedder", "input": "x"}
            /v1/rerank           | {"model": "reranker", "query": "x", "documents": ["y"], "return_documents": true}
            """)
    void answersAreOfTheDocument(String path, String body) throws Exception {
        String answer = given().baseUri(ServingProcess.shared().root())
                .contentType(ContentType.JSON)
                .body(body)
                .post(path)
                .then()
                .statusCode(200)
                .extract()
                .asString();
        requireSaid(path, document.at(schemaOf(path, "post")), MAPPER.readTree(answer));
    }

    @Test
    void theListOfModelsIsOfTheDocument() throws Exception {
        String answer = given().baseUri(ServingProcess.shared().root())
                .get("/v1/models")
                .asString();
        requireSaid("/v1/models", document.at(schemaOf("/v1/models", "get")), MAPPER.readTree(answer));
    }

    /** An answer with a member that the document does not have is found. */
    @Test
    void aMemberThatIsNotSaidIsFound() throws Exception {
        List<String> problems = new ArrayList<>();
        JsonNode schema = MAPPER.readTree("{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\"}}}");
        compare("", schema, MAPPER.readTree("{\"a\": 1, \"b\": 2}"), problems);
        assertEquals(List.of("/a is no string", "/b is not in the document"), problems);
    }

    private static String schemaOf(String path, String method) {
        return "/paths/" + path.replace("~", "~0").replace("/", "~1") + "/" + method
                + "/responses/200/content/application~1json/schema";
    }

    private void requireSaid(String path, JsonNode schema, JsonNode answer) {
        assertFalse(schema.isMissingNode(), () -> "the document has no answer of " + path);
        assertTrue(answer.isObject(), answer::toString);
        List<String> problems = new ArrayList<>();
        compare(path, schema, answer, problems);
        assertEquals(List.of(), problems, answer::toString);
    }

    private void compare(String where, JsonNode schema, JsonNode value, List<String> problems) {
        if (schema.has("$ref")) {
            compare(where, document.at(schema.get("$ref").asText().substring(1)), value, problems);
            return;
        }
        if (value.isNull() || schema.isEmpty() || schema.path("type").isMissingNode()) {
            return;
        }
        String type = type(schema.get("type"));
        if (!isOfType(type, value)) {
            problems.add(where + " is no " + type);
            return;
        }
        value.valueStream()
                .filter(item -> value.isArray())
                .forEach(item -> compare(where + "[]", schema.path("items"), item, problems));
        value.fieldNames().forEachRemaining(name -> {
            JsonNode member = schema.path("properties").path(name);
            JsonNode others = schema.path("additionalProperties");
            if (member.isMissingNode() && others.isMissingNode()) {
                problems.add(where + "/" + name + " is not in the document");
            } else {
                compare(where + "/" + name, member.isMissingNode() ? others : member, value.get(name), problems);
            }
        });
    }

    /** The first one that is not null, if there are several. */
    private static String type(JsonNode type) {
        return type.isArray()
                ? type.valueStream()
                        .map(JsonNode::asText)
                        .filter(name -> !name.equals("null"))
                        .findFirst()
                        .orElse("null")
                : type.asText();
    }

    private static boolean isOfType(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> false;
        };
    }
}
