package dev.outpost.models;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A message of a conversation. Immutable.
 *
 * @param role the author; templates know {@code system}, {@code user}, {@code assistant} and usually {@code tool}
 * @param content the text of the message
 */
public record ChatMessage(String role, String content) {
    public ChatMessage {
        Objects.requireNonNull(role, "the role");
        Objects.requireNonNull(content, "the content");
    }

    public static ChatMessage system(String content) {
        return new ChatMessage("system", content);
    }

    public static ChatMessage user(String content) {
        return new ChatMessage("user", content);
    }

    public static ChatMessage assistant(String content) {
        return new ChatMessage("assistant", content);
    }

    Map<String, Object> values() {
        // The order matters, because a template may print a whole message.
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("role", role);
        values.put("content", content);
        return values;
    }
}
