package dev.outpost.serving.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.outpost.serving.http.ApiException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the values that templates get from a request. */
class ConversationTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static <T> T read(String json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JsonProcessingException failure) {
            throw new IllegalArgumentException(failure);
        }
    }

    private static Map<String, Object> message(String json) {
        return Conversation.message(read(json, ChatRequest.Message.class), "messages[0]", MAPPER);
    }

    private static ApiException refused(String json) {
        ApiException refused = assertThrows(ApiException.class, () -> message(json), json);
        assertEquals(400, refused.status());
        return refused;
    }

    /** Templates print tools unchanged, so the order of their members is part of the prompt. */
    @Test
    void toolsHaveOneOrder() throws JsonProcessingException {
        ChatRequest.Tool tool = read(
                "{\"type\": \"function\", \"function\": {\"name\": \"f\", \"description\": \"d\"}}",
                ChatRequest.Tool.class);
        assertEquals(
                "{\"type\":\"function\",\"function\":{\"name\":\"f\",\"description\":\"d\","
                        + "\"parameters\":{\"type\":\"object\",\"properties\":{}}}}",
                MAPPER.writeValueAsString(Conversation.tool(tool, MAPPER)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\": \"a\", \"type\": \"function\"}",
                "null",
                "{\"id\": \"a\", \"type\": \"function\", \"function\": null}",
                "{\"id\": \"a\", \"type\": \"function\", \"function\": {\"arguments\": \"{}\"}}",
                "{\"id\": \"a\", \"type\": \"custom\", \"function\": {\"name\": \"f\", \"arguments\": \"{}\"}}"
            })
    void callsOfNothingAreRefused(String call) {
        assertTrue(refused("{\"role\": \"assistant\", \"tool_calls\": [" + call + "]}")
                .getMessage()
                .contains("tool_calls: expected calls of functions with names"));
    }

    private static String calling(String arguments) {
        return "{\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"a\", \"type\": \"function\","
                + " \"function\": {\"name\": \"f\", \"arguments\": " + arguments + "}}]}";
    }

    @Test
    void argumentsWithoutTextAreNone() throws JsonProcessingException {
        assertTrue(MAPPER.writeValueAsString(message(calling("\"\""))).contains("\"arguments\":{}"));
        assertTrue(MAPPER.writeValueAsString(message(calling("\" \""))).contains("\"arguments\":{}"));
        refused(calling("null"));
        refused(calling("\"{\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "true", "{}", "{\"type\": \"text\", \"text\": \"x\"}"})
    void contentIsATextOrParts(String content) {
        refused("{\"role\": \"user\", \"content\": " + content + "}");
    }

    @Test
    void contentMayBeMissing() {
        assertEquals("", message("{\"role\": \"assistant\"}").get("content"));
        assertEquals("", message("{\"role\": \"assistant\", \"content\": null}").get("content"));
        assertEquals("", Conversation.text(MissingNode.getInstance(), "input"));
        assertEquals(
                "ab",
                message("{\"role\": \"user\", \"content\": [{\"type\": \"text\", \"text\": \"a\"},"
                                + " {\"type\": \"text\", \"text\": \"b\"}]}")
                        .get("content"));
    }

    private static List<ChatRequest.Message> ofItems(String items) {
        return ResponsesResource.messages(new ResponsesResource.ResponseRequest(
                "m", read(items, JsonNode.class), null, null, null, null, null, null, null, null, null, null, null));
    }

    @Test
    void callsInARowAreOneMessage() {
        String call = "{\"type\": \"function_call\", \"call_id\": \"%s\", \"name\": \"f\", \"arguments\": \"{}\"}";
        List<ChatRequest.Message> messages = ofItems("[{\"role\": \"user\", \"content\": \"x\"},"
                + "{\"role\": \"assistant\", \"content\": \"y\"}," + call.formatted("a") + "," + call.formatted("b")
                + ",{\"type\": \"function_call_output\", \"call_id\": \"a\", \"output\": \"1\"}," + call.formatted("c")
                + "]");
        assertEquals(
                List.of("user", "assistant", "tool", "assistant"),
                messages.stream().map(ChatRequest.Message::role).toList());
        assertEquals("y", messages.get(1).content().asText());
        assertEquals(
                List.of("a", "b"),
                messages.get(1).toolCalls().stream().map(ToolCall::id).toList());
        assertEquals(1, messages.get(3).toolCalls().size());
    }
}
