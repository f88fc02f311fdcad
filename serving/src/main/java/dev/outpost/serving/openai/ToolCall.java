package dev.outpost.serving.openai;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A function call that the model requests.
 *
 * @param index its number within the message, in events of a stream; null elsewhere
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ToolCall(Integer index, String id, String type, Function function) {
    /** @param arguments JSON, as a text */
    public record Function(String name, String arguments) {}

    static ToolCall of(String name, String arguments) {
        return new ToolCall(null, Ids.draw("call_"), "function", new Function(name, arguments));
    }

    ToolCall at(int place) {
        return new ToolCall(place, id, type, function);
    }
}
