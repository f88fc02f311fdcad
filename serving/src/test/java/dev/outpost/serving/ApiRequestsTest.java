package dev.outpost.serving;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that fields of requests are read as OpenAI reads them, or refused by name. */
class ApiRequestsTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String MESSAGES =
            "\"model\": \"text\", \"messages\": [{\"role\": \"user\", \"content\": \"x\"}]";
    private static final String FUNCTION =
            "{\"name\": \"look\", \"parameters\": {\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"#/$defs/n\"}},"
                    + " \"required\": [\"a\"], \"$defs\": {\"n\": {\"enum\": [1, 2]}}}}";

    private static ValidatableResponse post(String path, String body) {
        return given().baseUri(ServingProcess.shared().root())
                .contentType(ContentType.JSON)
                .body(body)
                .post(path)
                .then();
    }

    private static String complete(String more) {
        return "{\"model\": \"text\", \"prompt\": \"The machine reads\", \"temperature\": 0, \"max_tokens\": 8" + more
                + "}";
    }

    @Test
    void nullIsAbsentInEveryOptionalField() {
        post(
                        CHAT,
                        "{\"model\": \"text\", \"messages\": [{\"role\": \"assistant\", \"content\": \"x\", \"refusal\": null, \"audio\": null,"
                                + " \"function_call\": null, \"tool_calls\": null, \"name\": null, \"annotations\": []},"
                                + " {\"role\": \"user\", \"content\": \"x\"}], \"max_tokens\": 2,"
                                + " \"tools\": null, \"tool_choice\": null, \"stop\": null, \"response_format\": null, \"logit_bias\": null,"
                                + " \"audio\": null, \"functions\": null, \"function_call\": null, \"modalities\": null, \"prediction\": null,"
                                + " \"reasoning_effort\": null, \"verbosity\": null, \"web_search_options\": null, \"moderation\": null,"
                                + " \"prompt_cache_options\": null, \"prompt_cache_retention\": null, \"seed\": null, \"n\": null}")
                .statusCode(200);
        post(
                        "/v1/responses",
                        "{\"model\": \"text\", \"input\": \"x\", \"max_output_tokens\": 2, \"tools\": null, \"tool_choice\": null,"
                                + " \"text\": {\"format\": null}, \"previous_response_id\": null, \"conversation\": null, \"background\": false,"
                                + " \"reasoning\": null, \"include\": null, \"truncation\": null}")
                .statusCode(200);
        post("/v1/completions", complete(", \"suffix\": null, \"best_of\": null, \"echo\": null, \"logprobs\": null"))
                .statusCode(200);
        post(
                        "/v1/embeddings",
                        "{\"model\": \"embedder\", \"input\": \"x\", \"dimensions\": null, \"encoding_format\": null}")
                .statusCode(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "max_tokens|2.5",
                "max_tokens|\"12\"",
                "temperature|\"1\"",
                "stream|\"true\"",
                "stream|1",
                "user|5",
                "stop_token_ids|[1.5]",
                "min_tokens|9",
                "repetition_penalty|0",
                "truncate_prompt_tokens|0",
            })
    void valuesOfAnotherKindAreRefusedByName(String field, String value) {
        String body = "{\"model\": \"text\", \"prompt\": \"x\", "
                + (field.equals("max_tokens") ? "" : "\"max_tokens\": 8, ") + "\"" + field + "\": " + value + "}";
        post("/v1/completions", body).statusCode(400).body("error.message", startsWith(field));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/v1/chat/completions|modalities|[\"text\", \"audio\"]",
                "/v1/chat/completions|reasoning_effort|\"low\"",
                "/v1/chat/completions|functions|[]",
                "/v1/responses|previous_response_id|\"resp_1\"",
                "/v1/responses|background|true",
                "/v1/responses|truncation|\"auto\"",
            })
    void knownFieldsThatAreNotHonouredAreRefusedWithTheirReason(String path, String field, String value) {
        String rest = path.equals(CHAT) ? MESSAGES : "\"model\": \"text\", \"input\": \"x\"";
        post(path, "{" + rest + ", \"" + field + "\": " + value + "}")
                .statusCode(400)
                .body("error.param", equalTo(field))
                .body("error.message", startsWith(field + ": "));
    }

    @Test
    void aPromptThatIsTooLongHasACodeOfItsOwn() {
        String prompt = "x ".repeat(2000);
        post("/v1/completions", "{\"model\": \"text\", \"prompt\": \"" + prompt + "\"}")
                .statusCode(400)
                .body("error.code", equalTo("context_length_exceeded"))
                .body("error.message", containsString("maximum context length is 1024 tokens"));
        post(CHAT, "{\"model\": \"text\", \"messages\": [{\"role\": \"user\", \"content\": \"" + prompt + "\"}]}")
                .statusCode(400)
                .body("error.code", equalTo("context_length_exceeded"));
        post(
                        "/v1/completions",
                        "{\"model\": \"text\", \"max_tokens\": 2, \"truncate_prompt_tokens\": 5, \"prompt\": \""
                                + prompt + "\"}")
                .statusCode(200)
                .body("usage.prompt_tokens", equalTo(5));
    }

    @Test
    void textsBecomeTokensAndTextsAgain() {
        List<Integer> tokens = post(
                        "/tokenize", "{\"model\": \"text\", \"prompt\": \"The machine\", \"return_token_strs\": true}")
                .statusCode(200)
                .body("max_model_len", equalTo(1024))
                .extract()
                .path("tokens");
        post("/detokenize", "{\"model\": \"text\", \"tokens\": " + tokens + "}")
                .statusCode(200)
                .body("prompt", containsString("The machine"));
        int count = post("/tokenize", "{" + MESSAGES + "}")
                .statusCode(200)
                .extract()
                .path("count");
        post(CHAT, "{" + MESSAGES + ", \"max_tokens\": 1}").body("usage.prompt_tokens", equalTo(count));
        post("/detokenize", "{\"model\": \"text\", \"tokens\": [100000]}").statusCode(400);
        post("/tokenize", "{\"model\": \"text\"}").statusCode(400);
    }

    @Test
    void echoRepeatsThePrompt() {
        String text = post("/v1/completions", complete("")).extract().path("choices[0].text");
        post("/v1/completions", complete(", \"echo\": true"))
                .statusCode(200)
                .body("choices[0].text", equalTo("The machine reads" + text));
    }

    @Test
    void aStopTokenEndsTheTextAndBelongsToIt() {
        String text = post("/v1/completions", complete("")).extract().path("choices[0].text");
        List<Integer> tokens = post(
                        "/tokenize",
                        "{\"model\": \"text\", \"add_special_tokens\": false, \"prompt\": \"" + text + "\"}")
                .extract()
                .path("tokens");
        post("/v1/completions", complete(", \"stop_token_ids\": [" + tokens.getFirst() + "]"))
                .statusCode(200)
                .body("choices[0].finish_reason", equalTo("stop"))
                .body("usage.completion_tokens", equalTo(1));
        // Neither end is allowed before the minimum number of tokens.
        post("/v1/completions", complete(", \"min_tokens\": 6, \"stop_token_ids\": [" + tokens.getFirst() + "]"))
                .statusCode(200)
                .body("usage.completion_tokens", org.hamcrest.Matchers.greaterThanOrEqualTo(6));
    }

    /** The schema would be refused if it was compiled. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"temperature\": 3",
                "\"n\": 0",
                "\"stop\": [\"\"]",
                "\"stop_token_ids\": [-1]",
                "\"max_tokens\": 100000",
                "\"min_tokens\": 1"
            })
    void otherFieldsAreCheckedBeforeTheSchemaIsCompiled(String field) {
        String format =
                "\"response_format\": {\"type\": \"json_schema\", \"json_schema\": {\"name\": \"x\", \"schema\":"
                        + " {\"type\": \"thing\"}}}";
        post(CHAT, "{" + MESSAGES + ", " + format + ", " + field + "}")
                .statusCode(400)
                .body("error.param", not("response_format"));
        post(CHAT, "{" + MESSAGES + ", " + format + "}")
                .statusCode(400)
                .body("error.param", equalTo("response_format"));
    }

    /** The model's tokens are bytes and pairs of them, so that it also generates parts of characters. */
    @Test
    void logprobsHaveTheBytesOfTokensAndEndWhereTheTextEnds() {
        JsonPath wild = post(
                        CHAT,
                        "{" + MESSAGES
                                + ", \"temperature\": 2, \"seed\": 5, \"max_tokens\": 200, \"ignore_eos\": true, \"logprobs\": true}")
                .statusCode(200)
                .extract()
                .jsonPath();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<List<Integer>> all = wild.getList("choices[0].logprobs.content.bytes");
        all.forEach(some -> some.forEach(bytes::write));
        String decoded = new String(bytes.toByteArray(), StandardCharsets.UTF_8);
        assertEquals(wild.getString("choices[0].message.content").replace("\uFFFD", ""), decoded.replace("\uFFFD", ""));
        String text = post("/v1/completions", complete("")).extract().path("choices[0].text");
        JsonPath stopped = post(
                        "/v1/completions", complete(", \"logprobs\": 1, \"stop\": \"" + text.substring(3, 5) + "\""))
                .statusCode(200)
                .extract()
                .jsonPath();
        String shorter = stopped.getString("choices[0].text");
        List<Integer> offsets = stopped.getList("choices[0].logprobs.text_offset");
        assertTrue(text.startsWith(shorter) && shorter.length() <= 3, shorter);
        assertTrue(offsets.stream().allMatch(offset -> offset < shorter.length()), offsets::toString);
    }

    /** Tokens of parts of characters and special tokens have their own names, and offsets are positions in the text. */
    @Test
    void tokensOfCompletionsAreToldApartAndHaveTheirPlaces() {
        JsonPath wild = post(
                        "/v1/completions",
                        "{\"model\": \"text\", \"prompt\": \"x\", \"temperature\": 2, \"seed\": 5, \"max_tokens\": 200,"
                                + " \"ignore_eos\": true, \"logprobs\": 5}")
                .statusCode(200)
                .extract()
                .jsonPath();
        List<Map<String, Object>> likeliest = wild.getList("choices[0].logprobs.top_logprobs");
        assertTrue(likeliest.stream().allMatch(some -> some.size() == 5), likeliest::toString);
        String text = wild.getString("choices[0].text");
        List<String> tokens = wild.getList("choices[0].logprobs.tokens");
        List<Integer> offsets = wild.getList("choices[0].logprobs.text_offset");
        int compared = 0;
        int before = 0;
        // Text after a part of a character is sent together with it, and has the same offset.
        boolean isBehindPart = false;
        for (int place = 0; place < tokens.size(); place++) {
            String token = tokens.get(place);
            int offset = offsets.get(place);
            assertTrue(offset >= before && offset <= text.length(), offsets::toString);
            before = offset;
            boolean isPart = token.startsWith("bytes:");
            if (!isPart && !token.startsWith("<")) {
                assertTrue(isBehindPart || text.startsWith(token, offset), token);
                compared += isBehindPart ? 0 : 1;
                isBehindPart = false;
            }
            isBehindPart |= isPart;
        }
        assertTrue(compared > 20, tokens::toString);
    }

    @Test
    void tokensOfSentencePieceKeepTheirBlank() {
        try (ServingProcess server = ServingProcess.start("--model", "text=" + TestModels.sentencePiece())) {
            JsonPath wild = given().baseUri(server.root())
                    .contentType(ContentType.JSON)
                    .body("{" + MESSAGES
                            + ", \"temperature\": 2, \"seed\": 5, \"max_tokens\": 200, \"ignore_eos\": true,"
                            + " \"logprobs\": true}")
                    .post(CHAT)
                    .then()
                    .statusCode(200)
                    .extract()
                    .jsonPath();
            List<String> tokens = wild.getList("choices[0].logprobs.content.token");
            assertTrue(tokens.stream().filter(token -> token.matches(" .")).count() > 10, tokens::toString);
        }
    }

    @Test
    void echoOfNoTokensIsThePrompt() {
        post(
                        "/v1/completions",
                        "{\"model\": \"text\", \"prompt\": [\"a b\", \"c\"], \"max_tokens\": 0, \"echo\": true}")
                .statusCode(200)
                .body("choices.text", equalTo(List.of("a b", "c")))
                .body("choices[1].finish_reason", equalTo("length"))
                .body("usage.completion_tokens", equalTo(0));
        String events = post(
                        "/v1/completions",
                        "{\"model\": \"text\", \"prompt\": \"a b\", \"max_tokens\": 0, \"echo\": true, \"stream\": true}")
                .statusCode(200)
                .extract()
                .asString();
        assertTrue(events.contains("\"text\":\"a b\"") && events.endsWith("data: [DONE]\n\n"), events);
        post("/v1/completions", "{\"model\": \"text\", \"prompt\": \"x\", \"max_tokens\": 0}")
                .statusCode(400);
    }

    @Test
    void modalitiesAreText() {
        post(CHAT, "{" + MESSAGES + ", \"max_tokens\": 1, \"modalities\": [\"text\"]}")
                .statusCode(200);
        post(CHAT, "{" + MESSAGES + ", \"max_tokens\": 1, \"modalities\": [\"text\", \"audio\"]}")
                .statusCode(400)
                .body("error.param", equalTo("modalities"));
    }

    @Test
    void functionsWithoutParametersTakeNone() {
        for (String parameters :
                List.of("", ", \"parameters\": null", ", \"parameters\": {\"type\": \"object\", \"properties\": {}}")) {
            post(
                            CHAT,
                            "{" + MESSAGES
                                    + ", \"max_tokens\": 60, \"tool_choice\": \"required\", \"tools\": [{\"type\": \"function\","
                                    + " \"function\": {\"name\": \"now\"" + parameters + "}}]}")
                    .statusCode(200)
                    .body("choices[0].message.tool_calls[0].function.arguments", equalTo("{}"));
        }
    }

    @Test
    void responsesCallFunctions() {
        String request =
                "{\"model\": \"text\", \"max_output_tokens\": 80, \"tool_choice\": {\"type\": \"function\", \"name\": \"look\"},"
                        + " \"tools\": [" + FUNCTION.replaceFirst("\\{", "{\"type\": \"function\", ")
                        + "], \"input\": ["
                        + "{\"role\": \"user\", \"content\": \"x\"},"
                        + " {\"type\": \"function_call\", \"call_id\": \"c1\", \"name\": \"look\", \"arguments\": \"{\\\"a\\\": 1}\"},"
                        + " {\"type\": \"function_call_output\", \"call_id\": \"c1\", \"output\": \"red\"}]";
        String text = post("/v1/responses", request + "}").extract().asString();
        JsonPath answer = new JsonPath(text);
        assertEquals("function_call", answer.getString("output[0].type"), text);
        assertEquals("look", answer.getString("output[0].name"));
        int a = new JsonPath(answer.getString("output[0].arguments")).getInt("a");
        assertTrue(a == 1 || a == 2);
        String events =
                post("/v1/responses", request + ", \"stream\": true}").extract().asString();
        assertTrue(events.contains("event: response.function_call_arguments.done"), events);
        assertTrue(events.contains("event: response.completed"), events);
    }
}
