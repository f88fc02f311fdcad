package dev.outpost.models.constraint;

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
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/**
 * The texts that a JSON schema describes, as an automaton. Members come in the order of the schema, with at most one blank behind a comma
 * or a colon; no others come. Numbers have a bounded number of digits, so that a text comes to its end. What an automaton cannot say is
 * bounded: a schema that contains itself is followed {@value #MOST_WITHIN} times, and a value of any kind has objects and arrays within
 * each other {@value #MOST_NESTED} deep. Keywords that are not known are refused.
 */
public final class JsonSchema {
    /** The known keywords that restrict values. */
    private static final Set<String> KNOWN = Set.of(
            "type",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "minItems",
            "maxItems",
            "minLength",
            "maxLength",
            "pattern",
            "enum",
            "const",
            "anyOf",
            "oneOf",
            "allOf",
            "$ref",
            "$defs",
            "definitions",
            "nullable");
    /** The keywords that restrict nothing. */
    private static final Set<String> NOTES = Set.of(
            "title", "description", "default", "examples", "$schema", "$id", "$comment", "format", "strict", "name");

    private static final int MOST_WORK = 1_000_000;
    private static final int MOST_DEEP = 32;
    private static final int MOST_REPEATED = 1000;
    /** Items of a list whose schema says of what kind they are and not how many, for items of one state: a list that never ends is cut off in its midst. */
    private static final int MOST_ITEMS = 256;
    /** States that all items of such a list have together. */
    private static final int MOST_STATES = 16_384;

    /** States that are put together, of all parts: many more than can be used. What takes more is refused before it takes the memory. */
    private static final int MOST_BUILT = 500_000;

    private static final int MOST_WITHIN = 4;
    private static final int MOST_NESTED = 3;

    private static final String INTEGER = "(-?(0|[1-9][0-9]{0,15}))";
    private static final String NUMBER = INTEGER + "(\\.[0-9]{1,15})?([eE][-+]?[0-9]{1,2})?";

    private final JsonNode root;
    /** How often references are being followed. */
    private final Map<String, Integer> within = new HashMap<>();
    /** States of all parts so far. */
    private long built;

    private JsonSchema(JsonNode root) {
        this.root = root;
    }

    public static Automaton automaton(String schema) {
        try {
            JsonNode root = JsonMapper.builder().build().readTree(schema);
            return new JsonSchema(root).value(root, 0);
        } catch (JsonProcessingException malformed) {
            throw refusal("it is no JSON: " + malformed.getOriginalMessage());
        }
    }

    /** Of any object. */
    static Automaton anyObject() {
        return anyObject(MOST_NESTED);
    }

    /** Of a regular expression that the whole text matches. */
    public static Automaton regex(String expression) {
        try {
            RegExp parsed = new RegExp(plainQuotes(expression), RegExp.NONE);
            requireFew(states(parsed));
            return parsed.toAutomaton();
        } catch (IllegalArgumentException malformed) {
            throw new OutpostException(
                    FaultKind.USER, "constraint: the expression is malformed: " + malformed.getMessage(), malformed);
        }
    }

    /** About as many states as an expression takes: those of a part that is repeated count each time. */
    private static long states(RegExp part) {
        if (part == null) {
            return 0;
        }
        long inner = Math.min(MOST_BUILT + 1L, states(part.exp1) + states(part.exp2));
        return switch (part.kind) {
            case REGEXP_REPEAT_MIN -> inner * (part.min + 1L);
            case REGEXP_REPEAT_MINMAX -> inner * Math.max(1L, part.max);
            case REGEXP_STRING -> part.s.length();
            default -> inner + 1;
        };
    }

    private static void requireFew(long states) {
        if (states > MOST_BUILT) {
            throw tooMany();
        }
    }

    private static OutpostException tooMany() {
        return new OutpostException(FaultKind.USER, "constraint: it has too many states to be used");
    }

    /** Quotes stand for themselves, which the library would take for the ends of a literal. */
    private static String plainQuotes(String expression) {
        StringBuilder plain = new StringBuilder();
        for (int place = 0; place < expression.length(); place++) {
            char at = expression.charAt(place);
            if (at == '\\' && place + 1 < expression.length()) {
                plain.append(at).append(expression.charAt(++place));
            } else {
                plain.append(at == '"' ? "\\\"" : String.valueOf(at));
            }
        }
        return plain.toString();
    }

    private static OutpostException refusal(String why) {
        return new OutpostException(FaultKind.USER, "JSON schema: " + why);
    }

    private Automaton value(JsonNode schema, int depth) {
        Automaton value = ofSchema(schema, depth);
        built += value.getNumStates() + 1;
        requireFew(built);
        return value;
    }

    private Automaton ofSchema(JsonNode schema, int depth) {
        if (depth > MOST_DEEP) {
            throw refusal("it is more than " + MOST_DEEP + " deep");
        }
        if (schema.isBoolean() && schema.booleanValue()) {
            return any(MOST_NESTED);
        }
        if (!schema.isObject()) {
            throw refusal("expected an object, got " + schema);
        }
        schema.fieldNames().forEachRemaining(keyword -> {
            if (!KNOWN.contains(keyword) && !NOTES.contains(keyword)) {
                throw refusal("the keyword \"" + keyword + "\" is not known");
            }
        });
        if (schema.has("$ref")) {
            return followed(schema.get("$ref").asText(), depth);
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
        if (schema.has("allOf")) {
            if (schema.get("allOf").size() != 1) {
                throw refusal("\"allOf\" of more than one schema is not known");
            }
            return value(schema.get("allOf").get(0), depth + 1);
        }
        Automaton typed = ofTypes(schema, depth);
        return schema.path("nullable").asBoolean()
                ? Operations.union(List.of(typed, Automata.makeString("null")))
                : typed;
    }

    private Automaton ofTypes(JsonNode schema, int depth) {
        JsonNode type = schema.path("type");
        if (type.isMissingNode()) {
            return schema.has("properties") ? object(schema, depth) : any(MOST_NESTED);
        }
        if (type.isArray()) {
            return Operations.union(type.valueStream()
                    .map(one -> typed(one.asText(), schema, depth))
                    .toList());
        }
        return typed(type.asText(), schema, depth);
    }

    /** No text at all where it is within itself too often, so that what need not be there ends it. */
    private Automaton followed(String reference, int depth) {
        JsonNode referred = referred(reference);
        if (within.merge(reference, 1, Integer::sum) > MOST_WITHIN) {
            within.merge(reference, -1, Integer::sum);
            return Automata.makeEmpty();
        }
        Automaton followed = value(referred, depth + 1);
        within.merge(reference, -1, Integer::sum);
        return followed;
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
            default -> throw refusal("the type \"" + type + "\" is not known");
        };
    }

    private static Automaton blank() {
        return Operations.optional(Automata.makeChar(' '));
    }

    private static Automaton comma() {
        return Operations.concatenate(List.of(Automata.makeChar(','), blank()));
    }

    private static Automaton any(int nested) {
        List<Automaton> kinds = new ArrayList<>(List.of(anyString(), regex(NUMBER), regex("true|false|null")));
        if (nested > 0) {
            kinds.add(anyObject(nested));
            kinds.add(list('[', any(nested - 1), 0, -1, ']'));
        }
        return smaller(Operations.union(kinds));
    }

    private static Automaton anyObject(int nested) {
        Automaton member =
                Operations.concatenate(List.of(anyString(), Automata.makeChar(':'), blank(), any(nested - 1)));
        return list('{', member, 0, -1, '}');
    }

    /** Schemas repeat what they refer to, so parts are made small before they are put together. */
    private static Automaton smaller(Automaton part) {
        try {
            return Operations.removeDeadStates(Operations.determinize(part, MOST_WORK));
        } catch (TooComplexToDeterminizeException tooLarge) {
            throw tooMany();
        }
    }

    private Automaton object(JsonNode schema, int depth) {
        if (schema.path("properties").isEmpty()) {
            JsonNode others = schema.path("additionalProperties");
            boolean isClosed = others.isBoolean() && !others.booleanValue();
            return isClosed ? Automata.makeString("{}") : anyObject(MOST_NESTED);
        }
        List<String> names = new ArrayList<>();
        schema.get("properties").fieldNames().forEachRemaining(names::add);
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        Map<Boolean, Automaton> rest =
                new HashMap<>(Map.of(true, Automata.makeEmptyString(), false, Automata.makeEmptyString()));
        for (String name : names.reversed()) {
            // Each member that need not be there doubles what follows it.
            requireFew(2L * rest.get(true).getNumStates() + rest.get(false).getNumStates());
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
        return smaller(
                Operations.concatenate(List.of(Automata.makeChar('{'), rest.get(false), Automata.makeChar('}'))));
    }

    private Automaton array(JsonNode schema, int depth) {
        int least = bound(schema, "minItems", 0);
        if (!schema.has("items")) {
            return list('[', any(MOST_NESTED - 1), least, bound(schema, "maxItems", -1), ']');
        }
        Automaton item = smaller(value(schema.get("items"), depth + 1));
        int usual = Math.clamp(MOST_STATES / Math.max(1, item.getNumStates()), 4, MOST_ITEMS);
        int most = bound(schema, "maxItems", Math.max(least, usual));
        return list('[', item, least, most, ']');
    }

    /** @param most −1 for as many as one likes */
    private static Automaton list(char open, Automaton item, int least, int most, char close) {
        Automaton content = Automata.makeEmptyString();
        if (most != 0 && !Operations.isEmpty(item)) {
            Automaton more = Operations.concatenate(List.of(comma(), item));
            int fewest = Math.max(0, least - 1);
            Automaton others = repeated(more, fewest, most < 0 ? most : Math.max(0, most - 1));
            Automaton some = Operations.concatenate(List.of(item, others));
            content = least == 0 ? Operations.optional(some) : some;
        } else if (least > 0) {
            return Automata.makeEmpty();
        }
        return Operations.concatenate(List.of(Automata.makeChar(open), content, Automata.makeChar(close)));
    }

    private static int bound(JsonNode schema, String key, int standard) {
        int bound = schema.path(key).asInt(standard);
        if (bound > MOST_REPEATED) {
            throw refusal(key + " is at most " + MOST_REPEATED + ", got " + bound);
        }
        return bound;
    }

    private static Automaton string(JsonNode schema) {
        if (schema.has("pattern")) {
            String pattern = schema.get("pattern").asText();
            // As in JSON schema, a pattern may match anywhere unless it says where it begins and ends.
            boolean hasOthers =
                    pattern.chars().anyMatch(one -> one == '"' || one == '\\' || Character.isISOControl(one));
            if (!pattern.startsWith("^") || !pattern.endsWith("$") || hasOthers) {
                throw refusal("a pattern begins with ^, ends with $, and has neither quotes nor backslashes nor control"
                        + " characters, got " + pattern);
            }
            return quoted(regex(pattern.substring(1, pattern.length() - 1)));
        }
        return string(bound(schema, "minLength", 0), bound(schema, "maxLength", -1));
    }

    private static Automaton anyString() {
        return string(0, -1);
    }

    private static Automaton string(int least, int most) {
        Automaton plain = Operations.union(List.of(
                Automata.makeCharRange(' ', '!'),
                Automata.makeCharRange('#', '['),
                Automata.makeCharRange(']', 0xD7FF),
                Automata.makeCharRange(0xE000, Character.MAX_CODE_POINT)));
        Automaton one = Operations.union(List.of(plain, regex("\\\\([\"\\\\/bfnrt]|u[0-9a-fA-F]{4})")));
        return quoted(repeated(one, least, most));
    }

    /** @param most −1 for as many as one likes */
    private static Automaton repeated(Automaton part, int least, int most) {
        requireFew((long) part.getNumStates() * Math.max(1, Math.max(least, most)));
        return most < 0 ? Operations.repeat(part, least) : Operations.repeat(part, least, most);
    }

    private static Automaton quoted(Automaton content) {
        return Operations.concatenate(List.of(Automata.makeChar('"'), content, Automata.makeChar('"')));
    }
}
