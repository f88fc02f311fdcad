package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.models.constraint.TokenConstraint;
import dev.outpost.serving.engine.GeneratingModel;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.Optional;

/**
 * In which form an answer is: free, JSON of a schema, or calls of functions. A function that must be called is one by a
 * schema: the whole text is its call.
 *
 * @param tools what the template is told of; empty where no function may be called
 * @param isJson whether the text is JSON
 * @param schema of the JSON, or null for any object
 * @param isCall whether the JSON is a call of a function
 */
record AnswerForm(List<ChatRequest.Tool> tools, boolean isJson, JsonNode schema, boolean isCall) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    static AnswerForm of(ChatRequest request) {
        List<ChatRequest.Tool> tools = request.tools() == null ? List.of() : request.tools();
        JsonNode choice = request.toolChoice();
        String named = choice == null || choice.isNull()
                ? "auto"
                : choice.isTextual()
                        ? choice.textValue()
                        : choice.path("function").path("name").asText("");
        boolean isObject = choice != null && choice.isObject();
        if (!isObject) {
            switch (named) {
                case "none":
                    return text(List.of(), request.responseFormat());
                case "auto":
                    return text(tools, request.responseFormat());
                case "required":
                    break;
                default:
                    throw ApiException.invalid(
                            "tool_choice: expected none, auto, required or a function, got " + choice, "tool_choice");
            }
        }
        List<ChatRequest.Tool> wanted = tools.stream()
                .filter(tool -> !isObject || named.equals(tool.function().name()))
                .toList();
        if (wanted.isEmpty()) {
            throw ApiException.invalid("tool_choice: there is no such function among the tools", "tool_choice");
        }
        return new AnswerForm(tools, true, callOf(wanted), true);
    }

    private static AnswerForm text(List<ChatRequest.Tool> tools, ChatRequest.ResponseFormat format) {
        String type = format == null || format.type() == null ? "text" : format.type();
        return switch (type) {
            case "text" -> new AnswerForm(tools, false, null, false);
            case "json_object" -> new AnswerForm(tools, true, null, false);
            case "json_schema" -> {
                JsonNode schema = Optional.ofNullable(format.jsonSchema())
                        .map(ChatRequest.JsonSchema::schema)
                        .orElseThrow(() -> ApiException.invalid(
                                "response_format.json_schema: a schema is missing", "response_format.json_schema"));
                yield new AnswerForm(tools, true, schema, false);
            }
            default ->
                throw ApiException.invalid(
                        "response_format.type: expected text, json_object or json_schema, got " + type,
                        "response_format.type");
        };
    }

    /** A schema of calls. References stay those of each function's own schema. */
    private static JsonNode callOf(List<ChatRequest.Tool> tools) {
        ObjectNode any = NODES.objectNode();
        for (ChatRequest.Tool tool : tools) {
            ObjectNode call = any.withArray("anyOf").addObject().put("type", "object");
            call.putObject("properties")
                    .<ObjectNode>set(
                            "name",
                            NODES.objectNode().put("const", tool.function().name()))
                    .set(
                            "arguments",
                            tool.function().parameters() == null
                                    ? NODES.objectNode().put("type", "object")
                                    : tool.function().parameters());
            call.putArray("required").add("name").add("arguments");
        }
        return any;
    }

    /** The constraint of each text; null for none. */
    TokenConstraint constraint(GeneratingModel model) {
        if (!isJson) {
            return null;
        }
        try {
            return model.json(schema);
        } catch (OutpostException unknown) {
            String param = isCall ? "tools" : "response_format";
            throw ApiException.invalid(param + ": " + unknown.getMessage(), param);
        }
    }

    /** Reads the text of a message as it comes. */
    interface Reader {
        ToolParser.Found add(String text);

        ToolParser.Found end();
    }

    Reader reader(ObjectMapper mapper) {
        boolean mayCall = !tools.isEmpty() && (!isJson || isCall);
        ToolParser parser = new ToolParser(mapper);
        return new Reader() {
            @Override
            public ToolParser.Found add(String text) {
                return mayCall ? parser.add(text) : new ToolParser.Found(text, List.of());
            }

            @Override
            public ToolParser.Found end() {
                return mayCall ? parser.end() : new ToolParser.Found("", List.of());
            }
        };
    }
}
