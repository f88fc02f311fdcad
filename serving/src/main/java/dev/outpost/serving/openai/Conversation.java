package dev.outpost.serving.openai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.serving.engine.GeneratingModel;
import dev.outpost.serving.http.ApiException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Converts a conversation to the form of a model's chat template. */
final class Conversation {
    private static final Set<String> ROLES = Set.of("system", "user", "assistant", "tool", "developer");

    private Conversation() {}

    /** Returns the tokens of the prompt, after which the model's message begins. */
    static int[] tokens(
            GeneratingModel model,
            List<ChatRequest.Message> messages,
            List<ChatRequest.Tool> tools,
            Map<String, Object> more,
            ObjectMapper mapper) {
        if (messages == null || messages.isEmpty()) {
            throw ApiException.invalid("messages: at least one is needed", "messages");
        }
        List<Map<String, Object>> rendered = new ArrayList<>();
        for (int number = 0; number < messages.size(); number++) {
            rendered.add(message(messages.get(number), "messages[" + number + "]", mapper));
        }
        Map<String, Object> values = new LinkedHashMap<>(more == null ? Map.of() : more);
        if (tools != null && !tools.isEmpty()) {
            values.put("tools", tools.stream().map(tool -> tool(tool, mapper)).toList());
        }
        String text = model.model().chatTemplate().render(rendered, values);
        return model.tokenizer().encode(text, false);
    }

    static Map<String, Object> message(ChatRequest.Message message, String param, ObjectMapper mapper) {
        if (message == null || message.role() == null || !ROLES.contains(message.role())) {
            throw ApiException.invalid(
                    param + ".role: expected system, developer, user, assistant or tool", param + ".role");
        }
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("role", message.role().equals("developer") ? "system" : message.role());
        values.put("content", text(message.content(), param));
        if (message.name() != null) {
            values.put("name", message.name());
        }
        if (message.toolCallId() != null) {
            values.put("tool_call_id", message.toolCallId());
        }
        if (message.toolCalls() != null) {
            values.put(
                    "tool_calls",
                    message.toolCalls().stream()
                            .map(call -> call(call, param, mapper))
                            .toList());
        }
        return values;
    }

    /** Returns the text of a content. Texts of parts are concatenated. */
    static String text(JsonNode content, String param) {
        if (content == null || content.isNull() || content.isMissingNode()) {
            return "";
        }
        if (content.isTextual()) {
            return content.textValue();
        }
        if (!content.isArray()) {
            throw ApiException.invalid(
                    param + ".content: expected a text or parts of one, got " + content.getNodeType(),
                    param + ".content");
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            String type = part.path("type").asText();
            boolean isText = type.equals("text") || type.equals("input_text") || type.equals("output_text");
            if (!isText || !part.path("text").isTextual()) {
                throw ApiException.invalid(
                        param + ".content: only text is known, got a part of the type \"" + type + "\"",
                        param + ".content");
            }
            text.append(part.get("text").textValue());
        }
        return text.toString();
    }

    /**
     * Converts a call for the template, which needs the arguments as an object. The text of the arguments may be
     * empty, because some models write no arguments for a function without parameters.
     */
    private static Map<String, Object> call(ToolCall call, String param, ObjectMapper mapper) {
        if (call == null
                || call.type() != null && !call.type().equals("function")
                || call.function() == null
                || call.function().name() == null) {
            throw ApiException.invalid(
                    param + ".tool_calls: expected calls of functions with names", param + ".tool_calls");
        }
        String text = call.function().arguments();
        Object arguments;
        try {
            arguments = text != null && text.isBlank() ? Map.of() : mapper.readValue(text, Object.class);
        } catch (JsonProcessingException | IllegalArgumentException ignored) {
            throw ApiException.invalid(
                    param + ".tool_calls: the arguments of " + call.function().name() + " are no JSON",
                    param + ".tool_calls");
        }
        Map<String, Object> function = new LinkedHashMap<>();
        function.put("name", call.function().name());
        function.put("arguments", arguments);
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", call.id() == null ? "" : call.id());
        values.put("type", "function");
        values.put("function", function);
        return values;
    }

    static Map<String, Object> tool(ChatRequest.Tool tool, ObjectMapper mapper) {
        if (!"function".equals(tool.type())
                || tool.function() == null
                || tool.function().name() == null) {
            throw ApiException.invalid("tools: expected functions with names", "tools");
        }
        Map<String, Object> function = new LinkedHashMap<>();
        function.put("name", tool.function().name());
        if (tool.function().description() != null) {
            function.put("description", tool.function().description());
        }
        function.put(
                "parameters",
                tool.function().parameters() == null
                                || tool.function().parameters().isNull()
                        ? Members.of("type", "object", "properties", Map.of())
                        : mapper.convertValue(tool.function().parameters(), Object.class));
        return Members.of("type", "function", "function", function);
    }
}
