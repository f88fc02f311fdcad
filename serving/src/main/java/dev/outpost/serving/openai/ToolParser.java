package dev.outpost.serving.openai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds function calls in the text of a model while it is generated. Model families write them in one of two ways. Hermes and Qwen write
 * them within {@code <tool_call>} and {@code </tool_call>}. Llama 3 and Mistral write a whole message of JSON, which is an object or an
 * array of objects. Special tokens before the message are not part of the text. Everything else is text, even a call of a function that the
 * request did not offer. An instance parses one message and is not thread-safe.
 */
final class ToolParser {
    private static final String OPEN = "<tool_call>";
    private static final String CLOSE = "</tool_call>";

    private final ObjectMapper mapper;
    /** The names of the functions that may be called. */
    private final Set<String> offered;

    private final StringBuilder held = new StringBuilder();
    private boolean isInCall;
    /** True if the message begins as JSON. Only at its end it is known if the message is a tool call. Null before the message begins. */
    private Boolean isJson;

    ToolParser(ObjectMapper mapper, Set<String> offered) {
        this.mapper = mapper;
        this.offered = Set.copyOf(offered);
    }

    /** The part of the message that further text cannot change. */
    record Found(String text, List<ToolCall> calls) {}

    Found add(String text) {
        held.append(text);
        if (isJson == null && !held.toString().isBlank()) {
            char first = held.toString().stripLeading().charAt(0);
            isJson = first == '{' || first == '[';
        }
        return isJson == null || isJson ? new Found("", List.of()) : scan();
    }

    private Found scan() {
        StringBuilder plain = new StringBuilder();
        List<ToolCall> calls = new ArrayList<>();
        boolean isStuck = false;
        while (!isStuck) {
            int at = held.indexOf(isInCall ? CLOSE : OPEN);
            if (at >= 0 && isInCall) {
                String inner = held.substring(0, at);
                held.delete(0, at + CLOSE.length());
                isInCall = false;
                List<ToolCall> found = calls(inner);
                if (found.isEmpty()) {
                    plain.append(OPEN).append(inner).append(CLOSE);
                }
                calls.addAll(found);
            } else if (at >= 0) {
                plain.append(held, 0, at);
                held.delete(0, at + OPEN.length());
                isInCall = true;
            } else {
                isStuck = true;
            }
        }
        if (!isInCall) {
            int certain = held.length() - beginOfOpen();
            plain.append(held, 0, certain);
            held.delete(0, certain);
        }
        return new Found(plain.toString(), calls);
    }

    private int beginOfOpen() {
        for (int length = Math.min(OPEN.length() - 1, held.length()); length > 0; length--) {
            if (OPEN.startsWith(held.substring(held.length() - length))) {
                return length;
            }
        }
        return 0;
    }

    /** Returns the remaining part of the message, once the message is complete. */
    Found end() {
        String rest = held.toString();
        held.setLength(0);
        List<ToolCall> calls = isInCall || Boolean.TRUE.equals(isJson) ? calls(rest) : List.of();
        if (!calls.isEmpty()) {
            return new Found("", calls);
        }
        return new Found(isInCall ? OPEN + rest : rest, List.of());
    }

    /** Parses calls; empty if the text is no call. */
    private List<ToolCall> calls(String json) {
        JsonNode said;
        try {
            said = mapper.readTree(json.strip());
        } catch (JsonProcessingException ignored) {
            return List.of();
        }
        List<ToolCall> calls = new ArrayList<>();
        for (JsonNode one : said.isArray() ? said : List.of(said)) {
            JsonNode arguments = one.has("arguments") ? one.get("arguments") : one.get("parameters");
            boolean isCall = one.path("name").isTextual()
                    && offered.contains(one.get("name").textValue())
                    && arguments != null
                    && (arguments.isObject() || arguments.isTextual());
            if (!isCall) {
                return List.of();
            }
            calls.add(ToolCall.of(
                    one.get("name").textValue(), arguments.isTextual() ? arguments.textValue() : arguments.toString()));
        }
        return calls;
    }
}
