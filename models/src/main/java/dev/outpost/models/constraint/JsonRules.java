package dev.outpost.models.constraint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.outpost.models.constraint.Grammar.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules of JSON, of any kind or of a schema. Blanks are one at most, behind a colon or a comma, and numbers have a bounded
 * length, so that a text comes to its end. Properties come in the order of the schema; others than those of the schema do not
 * come.
 */
final class JsonRules {
    /** What restricts values, and is known. */
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
            "enum",
            "const",
            "anyOf",
            "oneOf",
            "allOf",
            "$ref",
            "$defs",
            "definitions",
            "nullable");
    /** What restricts nothing. */
    private static final Set<String> NOTES = Set.of(
            "title", "description", "default", "examples", "$schema", "$id", "$comment", "format", "strict", "name");

    private static final int MOST_DIGITS = 15;

    private final Grammar grammar;
    private final Rule string;
    private final Rule integer;
    private final Rule number;
    private final Rule bool;
    private final Rule colon;
    private final Rule comma;
    private final Grammar.Named any;
    private final Map<String, Grammar.Named> references = new HashMap<>();
    private JsonNode root;

    JsonRules(Grammar grammar) {
        this.grammar = grammar;
        string = string(0, Grammar.ANY);
        Rule digit = grammar.among("0123456789", false);
        Rule whole = grammar.choice(
                grammar.text("0"),
                grammar.sequence(grammar.among("123456789", false), grammar.repeat(digit, 0, MOST_DIGITS)));
        integer = grammar.sequence(grammar.optional(grammar.text("-")), whole);
        number = grammar.sequence(
                integer,
                grammar.optional(grammar.sequence(grammar.text("."), grammar.repeat(digit, 1, MOST_DIGITS))),
                grammar.optional(grammar.sequence(
                        grammar.among("eE", false),
                        grammar.optional(grammar.among("+-", false)),
                        grammar.repeat(digit, 1, 2))));
        bool = grammar.choice(grammar.text("true"), grammar.text("false"));
        Rule blank = grammar.optional(grammar.text(" "));
        colon = grammar.sequence(grammar.text(":"), blank);
        comma = grammar.sequence(grammar.text(","), blank);
        any = grammar.named();
        any.is(grammar.choice(string, number, bool, grammar.text("null"), object(), array(any, 0, Grammar.ANY)));
    }

    private Rule string(int least, int most) {
        StringBuilder plain = new StringBuilder();
        for (char c = ' '; c < 127; c++) {
            if (c != '"' && c != '\\') {
                plain.append(c);
            }
        }
        Rule hex = grammar.among("0123456789abcdefABCDEF", false);
        Rule escape = grammar.sequence(
                grammar.text("\\"),
                grammar.choice(
                        grammar.among("\"\\/bfnrt", false),
                        grammar.sequence(grammar.text("u"), grammar.repeat(hex, 4, 4))));
        Rule character = grammar.choice(grammar.among(plain.toString(), true), escape);
        return grammar.sequence(grammar.text("\""), grammar.repeat(character, least, most), grammar.text("\""));
    }

    /** Any object. */
    Rule object() {
        Rule member = grammar.sequence(string, colon, any);
        Rule members = grammar.sequence(member, grammar.repeat(grammar.sequence(comma, member), 0, Grammar.ANY));
        return grammar.sequence(grammar.text("{"), grammar.optional(members), grammar.text("}"));
    }

    private Rule array(Rule item, int least, int most) {
        if (most == 0) {
            return grammar.text("[]");
        }
        int others = most == Grammar.ANY ? Grammar.ANY : most - 1;
        Rule items =
                grammar.sequence(item, grammar.repeat(grammar.sequence(comma, item), Math.max(0, least - 1), others));
        return grammar.sequence(grammar.text("["), least == 0 ? grammar.optional(items) : items, grammar.text("]"));
    }

    /** JSON of a schema; an {@link IllegalArgumentException} says what of it is not known. */
    Rule of(JsonNode schema) {
        root = schema;
        return rule(schema, "schema");
    }

    private Rule rule(JsonNode schema, String where) {
        if (schema.isBoolean() && schema.booleanValue()) {
            return any;
        }
        if (!schema.isObject()) {
            throw new IllegalArgumentException(where + ": expected an object, got " + schema);
        }
        schema.fieldNames().forEachRemaining(name -> {
            if (!KNOWN.contains(name) && !NOTES.contains(name)) {
                throw new IllegalArgumentException(where + ": \"" + name + "\" is not known");
            }
        });
        if (schema.has("$ref")) {
            return reference(schema.get("$ref").asText(), where);
        }
        if (schema.has("const")) {
            return grammar.text(schema.get("const").toString());
        }
        if (schema.has("enum")) {
            return grammar.choice(schema.get("enum")
                    .valueStream()
                    .map(value -> grammar.text(value.toString()))
                    .toList());
        }
        for (String alternatives : List.of("anyOf", "oneOf")) {
            if (schema.has(alternatives)) {
                return grammar.choice(schema.get(alternatives)
                        .valueStream()
                        .map(one -> rule(one, where + "." + alternatives))
                        .toList());
            }
        }
        if (schema.has("allOf")) {
            if (schema.get("allOf").size() != 1) {
                throw new IllegalArgumentException(where + ": \"allOf\" of more than one schema is not known");
            }
            return rule(schema.get("allOf").get(0), where + ".allOf");
        }
        return typed(schema, where);
    }

    private Rule reference(String pointer, String where) {
        Grammar.Named known = references.get(pointer);
        if (known != null) {
            return known;
        }
        JsonNode meant = pointer.startsWith("#") ? root.at(pointer.substring(1)) : MissingNode.getInstance();
        if (meant.isMissingNode()) {
            throw new IllegalArgumentException(where + ": there is no " + pointer);
        }
        Grammar.Named named = grammar.named();
        references.put(pointer, named);
        named.is(rule(meant, pointer));
        return named;
    }

    private Rule typed(JsonNode schema, String where) {
        JsonNode type = schema.get("type");
        if (type == null) {
            return schema.has("properties") ? object(schema, where) : any;
        }
        List<Rule> choices = new ArrayList<>();
        for (JsonNode one : type.isArray() ? type : List.of(type)) {
            choices.add(
                    switch (one.asText()) {
                        case "string" -> string(bound(schema, "minLength", 0), bound(schema, "maxLength", Grammar.ANY));
                        case "integer" -> integer;
                        case "number" -> number;
                        case "boolean" -> bool;
                        case "null" -> grammar.text("null");
                        case "object" -> object(schema, where);
                        case "array" ->
                            array(
                                    schema.has("items") ? rule(schema.get("items"), where + ".items") : any,
                                    bound(schema, "minItems", 0),
                                    bound(schema, "maxItems", Grammar.ANY));
                        default -> throw new IllegalArgumentException(where + ": the type " + one + " is not known");
                    });
        }
        if (schema.path("nullable").asBoolean()) {
            choices.add(grammar.text("null"));
        }
        return grammar.choice(choices);
    }

    private static int bound(JsonNode schema, String name, int standard) {
        return schema.has(name) ? schema.get(name).asInt() : standard;
    }

    private Rule object(JsonNode schema, String where) {
        JsonNode properties = schema.path("properties");
        if (properties.isEmpty()) {
            boolean isClosed = schema.path("additionalProperties").isBoolean()
                    && !schema.get("additionalProperties").booleanValue();
            return isClosed ? grammar.text("{}") : object();
        }
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        List<Rule> members = new ArrayList<>();
        List<Boolean> isRequired = new ArrayList<>();
        properties.properties().forEach(property -> {
            members.add(grammar.sequence(
                    grammar.text(property.getKey().isEmpty() ? "\"\"" : quoted(property.getKey())),
                    colon,
                    rule(property.getValue(), where + "." + property.getKey())));
            isRequired.add(required.contains(property.getKey()));
        });
        return grammar.sequence(grammar.text("{"), members(members, isRequired), grammar.text("}"));
    }

    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }

    /** Members in their order, with commas between those that come. */
    private Rule members(List<Rule> members, List<Boolean> isRequired) {
        // From the last one back: what comes from here on behind another member, and as the first.
        Rule behind = grammar.sequence();
        Rule first = grammar.sequence();
        for (int place = members.size() - 1; place >= 0; place--) {
            Rule here = grammar.sequence(members.get(place), behind);
            Rule withComma = grammar.sequence(comma, here);
            first = isRequired.get(place) ? here : grammar.choice(here, first);
            behind = isRequired.get(place) ? withComma : grammar.choice(withComma, behind);
        }
        return first;
    }
}
