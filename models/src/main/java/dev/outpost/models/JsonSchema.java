package dev.outpost.models;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;

/**
 * The texts that a JSON schema describes, as an automaton. Members come in the order of the schema, with at most one blank behind a comma
 * or a colon; no others come. What an automaton cannot say, such as a schema within itself, and keywords that are not known are refused.
 */
final class JsonSchema {
    private static final Set<String> KNOWN = Set.of(
            "type",
            "properties",
            "required",
            "items",
            "enum",
            "const",
            "anyOf",
            "oneOf",
            "$ref",
            "$defs",
            "definitions",
            "minItems",
            "maxItems",
            "minLength",
            "maxLength",
            "pattern",
            "additionalProperties",
            "title",
            "description",
            "default",
            "examples",
            "$schema",
            "$id");
    private static final int MOST_DEEP = 8;
    private static final int MOST_REPEATED = 1000;

    private static final String INTEGER = "(-?(0|[1-9][0-9]*))";
    private static final String NUMBER = INTEGER + "(\\.[0-9]+)?([eE][-+]?[0-9]+)?";

    private final JsonNode root;
    /** References that are being followed. */
    private final Set<String> within = new HashSet<>();

    private JsonSchema(JsonNode root) {
        this.root = root;
    }

    static Automaton automaton(String schema) {
        try {
            JsonNode root = JsonMapper.builder().build().readTree(schema);
            return new JsonSchema(root).value(root, 0);
        } catch (JsonProcessingException malformed) {
            throw refusal("it is no JSON: " + malformed.getOriginalMessage());
        }
    }

    /** Of a regular expression that the whole text matches. */
    static Automaton regex(String expression) {
        try {
            return new RegExp(expression, RegExp.NONE).toAutomaton();
        } catch (IllegalArgumentException malformed) {
            throw new OutpostException(
                    FaultKind.USER, "constraint: the expression is malformed: " + malformed.getMessage(), malformed);
        }
    }

    private static OutpostException refusal(String why) {
        return new OutpostException(FaultKind.USER, "JSON schema: " + why);
    }

    private Automaton value(JsonNode schema, int depth) {
        if (depth > MOST_DEEP) {
            throw refusal("it is more than " + MOST_DEEP + " deep");
        }
        schema.fieldNames().forEachRemaining(keyword -> {
            if (!KNOWN.contains(keyword)) {
                throw refusal("the keyword " + keyword + " is not known");
            }
        });
        if (schema.has("$ref")) {
            String reference = schema.get("$ref").asText();
            if (!within.add(reference) || reference.equals("#")) {
                throw refusal("it is within itself, at " + reference);
            }
            Automaton referred = value(referred(reference), depth + 1);
            within.remove(reference);
            return referred;
        }
        if (schema.has("const")) {
            return Automata.makeString(schema.get("const").toString());
        }
        if (schema.has("enum")) {
            return Operations.union(schema.get("enum")
                    .valueStream()
                    .map(one -> Automata.makeString(one.toString()))
                    .toList());
        }
        for (String any : List.of("anyOf", "oneOf")) {
            if (schema.has(any)) {
                return Operations.union(schema.get(any)
                        .valueStream()
                        .map(one -> value(one, depth + 1))
                        .toList());
            }
        }
        JsonNode type = schema.path("type");
        if (type.isArray()) {
            return Operations.union(type.valueStream()
                    .map(one -> typed(one.asText(), schema, depth))
                    .toList());
        }
        return typed(type.asText(schema.has("properties") ? "object" : ""), schema, depth);
    }

    private JsonNode referred(String reference) {
        JsonNode found = reference.startsWith("#") ? root.at(reference.substring(1)) : null;
        if (found == null || found.isMissingNode()) {
            throw refusal("there is nothing at " + reference);
        }
        return found;
    }

    private Automaton typed(String type, JsonNode schema, int depth) {
        return switch (type) {
            case "object" -> object(schema, depth);
            case "array" -> array(schema, depth);
            case "string" -> string(schema);
            case "integer" -> regex(INTEGER);
            case "number" -> regex(NUMBER);
            case "boolean" -> regex("true|false");
            case "null" -> Automata.makeString("null");
            default -> throw refusal("a type is needed, got " + (type.isEmpty() ? "none" : type));
        };
    }

    private static Automaton blank() {
        return Operations.optional(Automata.makeChar(' '));
    }

    private static Automaton comma() {
        return Operations.concatenate(List.of(Automata.makeChar(','), blank()));
    }

    private Automaton object(JsonNode schema, int depth) {
        if (!schema.path("properties").isObject()) {
            throw refusal("an object needs properties");
        }
        List<String> names = new ArrayList<>();
        schema.get("properties").fieldNames().forEachRemaining(names::add);
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        Map<Boolean, Automaton> rest =
                new HashMap<>(Map.of(true, Automata.makeEmptyString(), false, Automata.makeEmptyString()));
        for (String name : names.reversed()) {
            Automaton member = Operations.concatenate(List.of(
                    Automata.makeString(new TextNode(name) + ":"),
                    blank(),
                    value(schema.get("properties").get(name), depth + 1),
                    rest.get(true)));
            Automaton behindOthers = Operations.concatenate(List.of(comma(), member));
            boolean isOptional = !required.contains(name);
            Automaton later = isOptional ? Operations.union(List.of(behindOthers, rest.get(true))) : behindOthers;
            Automaton first = isOptional ? Operations.union(List.of(member, rest.get(false))) : member;
            rest = new HashMap<>(Map.of(true, later, false, first));
        }
        return Operations.concatenate(List.of(Automata.makeChar('{'), rest.get(false), Automata.makeChar('}')));
    }

    private Automaton array(JsonNode schema, int depth) {
        if (!schema.has("items")) {
            throw refusal("an array needs items");
        }
        int least = bound(schema, "minItems", 0);
        int most = bound(schema, "maxItems", -1);
        Automaton item = value(schema.get("items"), depth + 1);
        Automaton more = Operations.concatenate(List.of(comma(), item));
        int fewest = Math.max(0, least - 1);
        Automaton others =
                most < 0 ? Operations.repeat(more, fewest) : Operations.repeat(more, fewest, Math.max(0, most - 1));
        Automaton some = Operations.concatenate(List.of(item, others));
        Automaton content = most == 0 ? Automata.makeEmptyString() : least == 0 ? Operations.optional(some) : some;
        return Operations.concatenate(List.of(Automata.makeChar('['), content, Automata.makeChar(']')));
    }

    private static int bound(JsonNode schema, String key, int standard) {
        int bound = schema.path(key).asInt(standard);
        if (bound > MOST_REPEATED) {
            throw refusal(key + " is at most " + MOST_REPEATED + ", got " + bound);
        }
        return bound;
    }

    private static Automaton string(JsonNode schema) {
        Automaton content;
        if (schema.has("pattern")) {
            String pattern = schema.get("pattern").asText();
            // As in JSON schema, a pattern may match anywhere unless it says where it begins and ends.
            if (!pattern.startsWith("^") || !pattern.endsWith("$") || pattern.matches(".*[\"\\\\].*")) {
                throw refusal(
                        "a pattern begins with ^, ends with $, and has neither quotes nor backslashes, got " + pattern);
            }
            content = regex(pattern.substring(1, pattern.length() - 1));
        } else {
            Automaton plain = Operations.union(List.of(
                    Automata.makeCharRange(' ', '!'),
                    Automata.makeCharRange('#', '['),
                    Automata.makeCharRange(']', 0xD7FF),
                    Automata.makeCharRange(0xE000, Character.MAX_CODE_POINT)));
            Automaton one = Operations.union(List.of(plain, regex("\\\\([\"\\\\/bfnrt]|u[0-9a-fA-F]{4})")));
            int least = bound(schema, "minLength", 0);
            int most = bound(schema, "maxLength", -1);
            content = most < 0 ? Operations.repeat(one, least) : Operations.repeat(one, least, most);
        }
        return Operations.concatenate(List.of(Automata.makeChar('"'), content, Automata.makeChar('"')));
    }
}
