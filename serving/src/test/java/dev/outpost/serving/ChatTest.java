package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.ResponseFormatJsonSchema;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionFunctionTool;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolChoiceOption;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests conversations, functions, schemas, responses and embeddings with OpenAI's own client. */
class ChatTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private static OpenAIClient client;

    @BeforeAll
    static void connect() {
        client = OpenAIOkHttpClient.builder()
                .baseUrl(ServingProcess.shared().api())
                .apiKey("none is wanted")
                .maxRetries(0)
                .build();
    }

    @AfterAll
    static void close() {
        client.close();
    }

    private static ChatCompletionCreateParams.Builder greedy() {
        return ChatCompletionCreateParams.builder()
                .model("text")
                .addSystemMessage("Be brief.")
                .addUserMessage("Who are you?")
                .temperature(0)
                .maxCompletionTokens(10);
    }

    @Test
    void aConversationIsAnsweredAndItsStreamHasTheSameText() {
        ChatCompletion whole = client.chat().completions().create(greedy().build());
        String text = whole.choices().getFirst().message().content().orElseThrow();
        assertTrue(!text.isEmpty());
        assertEquals(10, whole.usage().orElseThrow().completionTokens());
        try (StreamResponse<ChatCompletionChunk> stream =
                client.chat().completions().createStreaming(greedy().build())) {
            List<ChatCompletionChunk> chunks = stream.stream().toList();
            assertEquals(
                    text,
                    chunks.stream()
                            .flatMap(chunk -> chunk.choices().stream())
                            .map(choice -> choice.delta().content().orElse(""))
                            .collect(Collectors.joining()));
            assertEquals(
                    "length",
                    chunks.getLast()
                            .choices()
                            .getFirst()
                            .finishReason()
                            .orElseThrow()
                            .asString());
        }
    }

    @Test
    void logprobsHaveTheLikeliestTokensBesideEach() {
        ChatCompletion answer = client.chat()
                .completions()
                .create(greedy().logprobs(true).topLogprobs(3).build());
        var tokens =
                answer.choices().getFirst().logprobs().orElseThrow().content().orElseThrow();
        assertEquals(10, tokens.size());
        assertEquals(3, tokens.getFirst().topLogprobs().size());
        assertEquals(
                tokens.getFirst().token(),
                tokens.getFirst().topLogprobs().getFirst().token());
    }

    /** Each answer has its own random seed, and a stream has the same contents for both as a whole answer. */
    @Test
    void severalAnswersComeWithTheirLogprobsAndTheirUsage() {
        ChatCompletionCreateParams.Builder several = greedy().temperature(2)
                .putAdditionalBodyProperty("seed", JsonValue.from(5))
                .n(2)
                .logprobs(true)
                .topLogprobs(2);
        ChatCompletion whole = client.chat().completions().create(several.build());
        List<String> texts = whole.choices().stream()
                .map(choice -> choice.message().content().orElseThrow())
                .toList();
        assertEquals(2, texts.size());
        assertNotEquals(texts.get(0), texts.get(1));
        ChatCompletionStreamOptions options =
                ChatCompletionStreamOptions.builder().includeUsage(true).build();
        try (StreamResponse<ChatCompletionChunk> stream = client.chat()
                .completions()
                .createStreaming(several.streamOptions(options).build())) {
            List<ChatCompletionChunk> chunks = stream.stream().toList();
            for (int answer = 0; answer < 2; answer++) {
                int index = answer;
                List<ChatCompletionChunk.Choice> own = chunks.stream()
                        .flatMap(chunk -> chunk.choices().stream())
                        .filter(choice -> choice.index() == index)
                        .toList();
                assertEquals(
                        texts.get(answer),
                        own.stream()
                                .map(choice -> choice.delta().content().orElse(""))
                                .collect(Collectors.joining()));
                assertEquals(
                        whole.choices()
                                .get(answer)
                                .logprobs()
                                .orElseThrow()
                                .content()
                                .orElseThrow()
                                .size(),
                        own.stream()
                                .flatMap(choice -> choice.logprobs().stream())
                                .mapToInt(logprobs ->
                                        logprobs.content().orElse(List.of()).size())
                                .sum());
            }
            assertEquals(
                    whole.usage().orElseThrow().completionTokens(),
                    chunks.getLast().usage().orElseThrow().completionTokens());
        }
    }

    @Test
    void stopTextEndsAnAnswer() {
        String text = client.chat()
                .completions()
                .create(greedy().build())
                .choices()
                .getFirst()
                .message()
                .content()
                .orElseThrow();
        String stop = text.substring(3, 5);
        var stopped = client.chat()
                .completions()
                .create(greedy().stop(stop).build())
                .choices()
                .getFirst();
        assertEquals(
                text.substring(0, text.indexOf(stop)),
                stopped.message().content().orElseThrow());
        assertEquals("stop", stopped.finishReason().asString());
    }

    /** With random weights every unconstrained text would be invalid JSON. */
    @Test
    void anAnswerIsJsonOfTheSchema() throws Exception {
        JsonNode schema = MAPPER.readTree("""
                {"type": "object", "required": ["name", "kind", "tags"], "additionalProperties": false,
                 "properties": {"name": {"type": "string", "maxLength": 8}, "kind": {"enum": ["a", "b"]},
                                "size": {"type": "integer"},
                                "tags": {"type": "array", "items": {"type": "boolean"}, "maxItems": 3}}}""");
        ResponseFormatJsonSchema format = ResponseFormatJsonSchema.builder()
                .jsonSchema(ResponseFormatJsonSchema.JsonSchema.builder()
                        .name("thing")
                        .strict(true)
                        .schema(JsonValue.fromJsonNode(schema)
                                .convert(ResponseFormatJsonSchema.JsonSchema.Schema.class))
                        .build())
                .build();
        for (int seed = 0; seed < 5; seed++) {
            ChatCompletion answer = client.chat()
                    .completions()
                    .create(greedy().responseFormat(format)
                            .temperature(2)
                            .putAdditionalBodyProperty("seed", JsonValue.from(seed))
                            .maxCompletionTokens(300)
                            .build());
            String text = answer.choices().getFirst().message().content().orElseThrow();
            JsonNode json = MAPPER.readTree(text);
            // A character is a code point for JSON schema.
            assertTrue(json.get("name").textValue().codePoints().count() <= 8, text);
            assertTrue(List.of("a", "b").contains(json.get("kind").textValue()), text);
            assertTrue(json.get("tags").isArray() && json.get("tags").size() <= 3, text);
            assertEquals("stop", answer.choices().getFirst().finishReason().asString());
        }
    }

    @Test
    void aFunctionThatMustBeCalledIsCalled() throws Exception {
        ChatCompletionFunctionTool tool = ChatCompletionFunctionTool.builder()
                .function(FunctionDefinition.builder()
                        .name("weather")
                        .parameters(FunctionParameters.builder()
                                .putAdditionalProperty("type", JsonValue.from("object"))
                                .putAdditionalProperty(
                                        "properties",
                                        JsonValue.from(Map.of("city", Map.of("enum", List.of("Bern", "Rome")))))
                                .putAdditionalProperty("required", JsonValue.from(List.of("city")))
                                .build())
                        .build())
                .build();
        ChatCompletionCreateParams params = greedy().addTool(tool)
                .toolChoice(ChatCompletionToolChoiceOption.Auto.REQUIRED)
                .maxCompletionTokens(200)
                .build();
        ChatCompletion answer = client.chat().completions().create(params);
        assertEquals("tool_calls", answer.choices().getFirst().finishReason().asString());
        var call = answer.choices()
                .getFirst()
                .message()
                .toolCalls()
                .orElseThrow()
                .getFirst()
                .asFunction();
        assertEquals("weather", call.function().name());
        String city = MAPPER.readTree(call.function().arguments()).get("city").textValue();
        assertTrue(List.of("Bern", "Rome").contains(city), city);
        try (StreamResponse<ChatCompletionChunk> stream =
                client.chat().completions().createStreaming(params)) {
            String name = stream.stream()
                    .flatMap(chunk -> chunk.choices().stream())
                    .flatMap(choice -> choice.delta().toolCalls().stream().flatMap(List::stream))
                    .map(part -> part.function().orElseThrow().name().orElseThrow())
                    .collect(Collectors.joining());
            assertEquals("weather", name);
        }
    }

    @Test
    void responsesAreTexts() {
        ResponseCreateParams params = ResponseCreateParams.builder()
                .model("text")
                .instructions("Be brief.")
                .input("Who are you?")
                .temperature(0)
                .maxOutputTokens(10)
                .build();
        Response whole = client.responses().create(params);
        String text = whole.output()
                .getFirst()
                .asMessage()
                .content()
                .getFirst()
                .asOutputText()
                .text();
        assertEquals(
                client.chat()
                        .completions()
                        .create(greedy().build())
                        .choices()
                        .getFirst()
                        .message()
                        .content()
                        .orElseThrow(),
                text);
        try (StreamResponse<ResponseStreamEvent> stream = client.responses().createStreaming(params)) {
            List<ResponseStreamEvent> events = stream.stream().toList();
            assertEquals(
                    text,
                    events.stream()
                            .flatMap(event -> event.outputTextDelta().stream())
                            .map(delta -> delta.delta())
                            .collect(Collectors.joining()));
            assertTrue(events.getLast().isIncomplete());
        }
    }

    @Test
    void textsBecomeVectors() {
        var answer = client.embeddings()
                .create(EmbeddingCreateParams.builder()
                        .model("embedder")
                        .inputOfArrayOfStrings(List.of("The machine reads", "something else"))
                        .build());
        assertEquals(2, answer.data().size());
        double squares = answer.data().getFirst().embedding().stream()
                .mapToDouble(value -> (double) value * value)
                .sum();
        assertTrue(squares > 0 && Double.isFinite(squares));
        assertTrue(answer.usage().promptTokens() > 0);
    }
}
