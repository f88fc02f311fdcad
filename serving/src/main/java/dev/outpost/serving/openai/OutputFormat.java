package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.models.constraint.TokenConstraint;
import dev.outpost.serving.engine.GeneratingModel;
import dev.outpost.serving.engine.TextDelta;
import dev.outpost.serving.http.ApiException;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The form of an answer: free text, JSON of a schema, or calls of functions. A required call is enforced by a schema, which makes the whole
 * text a call.
 *
 * @param tools the functions for the template; empty if no function may be called
 * @param isJson true if the text is JSON
 * @param schema the schema of the JSON, or null for any object
 * @param isCall true if the JSON is a call of a function
 * @param isOneCall true to drop all calls after the first one
 */
record OutputFormat(List<ChatRequest.Tool> tools, boolean isJson, JsonNode schema, boolean isCall, boolean isOneCall) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** The keywords that do not describe members. A schema with only these has no members. */
    private static final Set<String> NO_MEMBERS = Set.of("type", "title", "description", "$schema", "$id", "strict");
    /** The keywords whose values are not schemas. */
    private static final Set<String> OF_VALUES = Set.of("const", "enum", "default", "examples");
    /** The keywords whose members have names that the schema's author chose. */
    private static final Set<String> BY_NAME =
            Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies");
    /** The keywords of a whole document, which are dropped when a schema becomes part of another schema. */
    private static final Set<String> OF_DOCUMENT = Set.of("$schema", "$id");

    static OutputFormat of(ChatRequest request) {
        return of(request.tools(), request.toolChoice(), request.responseFormat(), request.parallelToolCalls());
    }

    /**
     * Returns the answer form that a request selects.
     *
     * @param offered the functions; null for none
     * @param choice the function to call: a word, or an object with a name; null for the model's choice
     * @param format null for text
     * @param isParallel true or null to allow several calls
     */
    static OutputFormat of(
            List<ChatRequest.Tool> offered, JsonNode choice, ChatRequest.ResponseFormat format, Boolean isParallel) {
        List<ChatRequest.Tool> tools = offered == null ? List.of() : offered;
        requireFunctions(tools);
        boolean isOneCall = Boolean.FALSE.equals(isParallel);
        boolean isObject = choice != null && choice.isObject();
        if (isObject) {
            requireFunctionChoice(choice.path("type"));
        }
        String named = choice == null || choice.isNull()
                ? "auto"
                : choice.isTextual()
                        ? choice.textValue()
                        : choice.path("function").path("name").asText("");
        if (!isObject) {
            switch (named) {
                case "none":
                    return text(List.of(), format, isOneCall);
                case "auto":
                    return text(tools, format, isOneCall);
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
        return new OutputFormat(tools, true, callOf(wanted), true, isOneCall);
    }

    private static void requireFunctionChoice(JsonNode type) {
        if (type.isMissingNode() || "function".equals(type.textValue())) {
            return;
        }
        throw ApiException.invalid(
                "tool_choice: the type " + type + " is not honoured here, only function; "
                        + (type.asText().equals("allowed_tools")
                                ? "list only the allowed functions in tools"
                                : "all tools are functions"),
                "tool_choice");
    }

    private static void requireFunctions(List<ChatRequest.Tool> tools) {
        for (ChatRequest.Tool tool : tools) {
            boolean isFunction = tool != null
                    && "function".equals(tool.type())
                    && tool.function() != null
                    && tool.function().name() != null;
            if (!isFunction) {
                throw ApiException.invalid("tools: expected functions with names", "tools");
            }
        }
    }

    private static OutputFormat text(
            List<ChatRequest.Tool> tools, ChatRequest.ResponseFormat format, boolean isOneCall) {
        String type = format == null || format.type() == null ? "text" : format.type();
        return switch (type) {
            case "text" -> new OutputFormat(tools, false, null, false, isOneCall);
            case "json_object" -> new OutputFormat(tools, true, null, false, isOneCall);
            case "json_schema" -> {
                JsonNode schema = Optional.ofNullable(format.jsonSchema())
                        .map(ChatRequest.JsonSchema::schema)
                        .filter(given -> !given.isNull())
                        .orElseThrow(() -> ApiException.invalid(
                                "response_format.json_schema: a schema is missing", "response_format.json_schema"));
                yield new OutputFormat(tools, true, schema, false, isOneCall);
            }
            default ->
                throw ApiException.invalid(
                        "response_format.type: expected text, json_object or json_schema, got " + type,
                        "response_format.type");
        };
    }

    /** Returns the schema of a call of any of the functions. */
    private static JsonNode callOf(List<ChatRequest.Tool> tools) {
        ObjectNode any = NODES.objectNode();
        for (int number = 0; number < tools.size(); number++) {
            ChatRequest.Function function = tools.get(number).function();
            ObjectNode call = any.withArray("anyOf").addObject().put("type", "object");
            call.putObject("properties")
                    .<ObjectNode>set("name", NODES.objectNode().put("const", function.name()))
                    .set("arguments", moved(arguments(function), "#/anyOf/" + number + "/properties/arguments"));
            call.putArray("required").add("name").add("arguments");
        }
        return any;
    }

    /** Returns the schema of a function's arguments. A function whose schema names no members has no arguments. */
    private static JsonNode arguments(ChatRequest.Function function) {
        JsonNode parameters = function.parameters();
        if (parameters == null || parameters.isNull() || saysNothing(parameters)) {
            return NODES.objectNode().put("type", "object").put("additionalProperties", false);
        }
        return parameters;
    }

    private static boolean saysNothing(JsonNode schema) {
        return schema.isObject()
                && NO_MEMBERS.containsAll(
                        schema.propertyStream().map(Map.Entry::getKey).toList())
                && (!schema.has("type") || "object".equals(schema.get("type").asText()));
    }

    /** Moves schemas in an object whose member names are not keywords, even if such a name equals a keyword. */
    private static JsonNode movedByName(JsonNode schemas, String to) {
        if (!schemas.isObject()) {
            return moved(schemas, to);
        }
        ObjectNode members = NODES.objectNode();
        schemas.properties().forEach(member -> members.set(member.getKey(), moved(member.getValue(), to)));
        return members;
    }

    /**
     * Returns a schema for a place within another schema: references to the schema's root become references to that
     * place.
     */
    private static JsonNode moved(JsonNode schema, String to) {
        if (schema.isArray()) {
            ArrayNode items = NODES.arrayNode();
            schema.forEach(one -> items.add(moved(one, to)));
            return items;
        }
        if (!schema.isObject()) {
            return schema;
        }
        ObjectNode members = NODES.objectNode();
        schema.properties().forEach(member -> {
            JsonNode value = member.getValue();
            boolean isReference = member.getKey().equals("$ref")
                    && value.isTextual()
                    && value.asText().startsWith("#");
            JsonNode itsOwn;
            if (isReference) {
                itsOwn = NODES.textNode(to + value.asText().substring(1));
            } else if (OF_VALUES.contains(member.getKey())) {
                itsOwn = value;
            } else {
                itsOwn = BY_NAME.contains(member.getKey()) ? movedByName(value, to) : moved(value, to);
            }
            members.set(member.getKey(), itsOwn);
        });
        members.remove(OF_DOCUMENT);
        return members;
    }

    /** Returns the constraint of each text; null without a constraint. */
    TokenConstraint constraint(GeneratingModel model, String caller, BooleanSupplier isCancelled) {
        if (!isJson) {
            return null;
        }
        try {
            return model.json(schema, caller, isCancelled);
        } catch (OutpostException failure) {
            String param = isCall ? "tools" : "response_format";
            throw ApiException.invalid(param + ": " + failure.getMessage(), param);
        }
    }

    MessageReader reader(ObjectMapper mapper) {
        boolean mayCall = !tools.isEmpty() && (!isJson || isCall);
        Set<String> names = tools.stream().map(tool -> tool.function().name()).collect(Collectors.toSet());
        return new MessageReader(mayCall ? new ToolParser(mapper, names) : null, isOneCall);
    }

    /** Reads the text of a message while it is generated. Not thread-safe. */
    static final class MessageReader {
        private final ToolParser parser;
        private final boolean isOneCall;
        private boolean hasCalled;

        /** @param parser null if the message has no calls */
        private MessageReader(ToolParser parser, boolean isOneCall) {
            this.parser = parser;
            this.isOneCall = isOneCall;
        }

        /** Returns the part of the message that is final after its next delta. */
        ToolParser.Found take(TextDelta delta) {
            if (parser == null) {
                return new ToolParser.Found(delta.text(), List.of());
            }
            ToolParser.Found found = parser.add(delta.text());
            String text = found.text();
            List<ToolCall> calls = new ArrayList<>(found.calls());
            if (delta.finish() != null) {
                ToolParser.Found rest = parser.end();
                text += rest.text();
                calls.addAll(rest.calls());
            }
            if (isOneCall && !calls.isEmpty()) {
                calls = hasCalled ? List.of() : calls.subList(0, 1);
                hasCalled = true;
            }
            return new ToolParser.Found(text, calls);
        }
    }
}
