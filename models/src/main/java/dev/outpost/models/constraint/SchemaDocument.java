package dev.outpost.models.constraint;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A JSON schema whose keywords are all enforced. This class resolves its references and combinations. A schema
 * becomes a list of alternatives. Each alternative is a list of schema objects that must all hold, apart from their
 * references and combinations.
 */
final class SchemaDocument {
    /** The keywords that are enforced. */
    private static final Set<String> ENFORCED = Set.of(
            "type",
            "enum",
            "const",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "minLength",
            "maxLength",
            "pattern",
            "format",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "anyOf",
            "oneOf",
            "allOf",
            "$ref",
            "$defs",
            "definitions",
            "nullable");
    /** The keywords that do not restrict values. */
    private static final Set<String> NOTES = Set.of(
            "title",
            "description",
            "default",
            "examples",
            "deprecated",
            "readOnly",
            "writeOnly",
            "$comment",
            "strict",
            "name");
    /** The keywords that are allowed only at the root of a document. */
    private static final Set<String> OF_ROOT = Set.of("$schema", "$id");

    private static final int MAX_ALTERNATIVES = 128;
    private static final int MAX_DEEP = 64;

    /** The types of JSON. */
    enum Type {
        NULL,
        BOOLEAN,
        NUMBER,
        STRING,
        ARRAY,
        OBJECT
    }

    private static final int STEPS_OF_SCHEMA = 32;

    private final JsonNode root;
    private final Effort effort;
    /** The listed values of schemas with an enumeration or a constant. */
    private final Map<ObjectNode, Set<Object>> enumerated = new IdentityHashMap<>();

    SchemaDocument(JsonNode root, Effort effort) {
        this.root = root;
        this.effort = effort;
    }

    JsonNode root() {
        return root;
    }

    static OutpostException refusal(String why) {
        return new OutpostException(FaultKind.USER, "JSON schema: " + why);
    }

    /** Returns the alternatives of schemas that must all hold; an empty list if no value satisfies them. */
    List<List<ObjectNode>> alternatives(List<JsonNode> schemas) {
        List<List<ObjectNode>> all = List.of(List.of());
        for (JsonNode schema : schemas) {
            all = both(all, expand(schema, new ArrayList<>(), 0));
        }
        return all;
    }

    private List<List<ObjectNode>> expand(JsonNode schema, List<JsonNode> following, int depth) {
        if (depth > MAX_DEEP) {
            throw refusal("it is more than " + MAX_DEEP + " deep");
        }
        effort.spend(STEPS_OF_SCHEMA);
        if (schema.isBoolean()) {
            return schema.booleanValue() ? List.of(List.of()) : List.of();
        }
        if (!(schema instanceof ObjectNode object)) {
            throw refusal("expected an object, got " + schema);
        }
        requireKnown(object);
        object.properties().forEach(keyword -> requireWellFormed(keyword.getKey(), keyword.getValue()));
        List<List<ObjectNode>> all = List.of(List.of());
        boolean isListed = false;
        for (Map.Entry<String, JsonNode> keyword : object.properties()) {
            JsonNode value = keyword.getValue();
            switch (keyword.getKey()) {
                case "$ref" -> {
                    JsonNode referred = referred(value.asText());
                    if (following.stream().anyMatch(one -> one == referred)) {
                        throw refusal("\"$ref\": " + value.asText() + " refers to nothing but itself");
                    }
                    following.add(referred);
                    all = both(all, expand(referred, following, depth + 1));
                    following.removeLast();
                }
                case "allOf" -> {
                    for (JsonNode one : list(keyword.getKey(), value)) {
                        all = both(all, expand(one, following, depth + 1));
                    }
                }
                case "anyOf" -> all = both(all, any(keyword.getKey(), value, following, depth));
                case "oneOf" -> {
                    requireDisjoint(value, object, following, depth);
                    all = both(all, any(keyword.getKey(), value, following, depth));
                }
                default -> {
                    // The object is added at its first enforced keyword, because the position decides the order of
                    // properties.
                    if (!isListed && ENFORCED.contains(keyword.getKey())) {
                        isListed = true;
                        all = both(all, List.of(List.of(object)));
                    }
                }
            }
        }
        return all;
    }

    private List<List<ObjectNode>> any(String keyword, JsonNode schemas, List<JsonNode> following, int depth) {
        List<List<ObjectNode>> any = new ArrayList<>();
        for (JsonNode one : list(keyword, schemas)) {
            any.addAll(expand(one, following, depth + 1));
            requireFew(any.size());
        }
        return any;
    }

    private static void requireFew(long alternatives) {
        if (alternatives > MAX_ALTERNATIVES) {
            throw refusal("\"anyOf\": there are more than " + MAX_ALTERNATIVES + " combinations");
        }
    }

    private static List<List<ObjectNode>> both(List<List<ObjectNode>> some, List<List<ObjectNode>> others) {
        requireFew((long) some.size() * others.size());
        List<List<ObjectNode>> both = new ArrayList<>();
        for (List<ObjectNode> one : some) {
            for (List<ObjectNode> other : others) {
                Set<ObjectNode> union = Collections.newSetFromMap(new IdentityHashMap<>());
                List<ObjectNode> ordered = new ArrayList<>();
                for (List<ObjectNode> part : List.of(one, other)) {
                    part.stream().filter(union::add).forEach(ordered::add);
                }
                both.add(ordered);
            }
        }
        return both;
    }

    private void requireKnown(ObjectNode schema) {
        schema.fieldNames().forEachRemaining(keyword -> {
            boolean isKnown = ENFORCED.contains(keyword)
                    || NOTES.contains(keyword)
                    || OF_ROOT.contains(keyword) && schema == root
                    || keyword.equals("uniqueItems") && !schema.get(keyword).asBoolean(true)
                    // OpenAPI's hint at the matching schema is redundant: the schemas themselves decide.
                    || keyword.equals("discriminator") && (schema.has("anyOf") || schema.has("oneOf"));
            if (!isKnown) {
                throw refusal("the keyword \"" + keyword + "\" cannot be enforced");
            }
        });
        JsonNode dialect = schema.path("$schema");
        if (!dialect.isMissingNode()
                && !dialect.asText()
                        .matches("https?://json-schema\\.org/(draft/20(20-12|19-09)|draft-0[4-7])/schema#?")) {
            throw refusal("the keyword \"$schema\" names a dialect that is not known, " + dialect.asText());
        }
    }

    /** Fails if the value of a keyword has the wrong form, even if the keyword has no effect. */
    private static void requireWellFormed(String keyword, JsonNode value) {
        String expected = switch (keyword) {
            case "type" ->
                value.isTextual() || areTexts(value) && !value.isEmpty() ? null : "a type or a list of types";
            case "required" -> areTexts(value) ? null : "a list of names";
            case "enum" -> value.isArray() ? null : "a list of values";
            case "pattern", "format", "$ref" -> value.isTextual() ? null : "a string";
            case "nullable" -> value.isBoolean() ? null : "true or false";
            case "properties", "$defs", "definitions" -> value.isObject() ? null : "an object of schemas";
            case "items", "additionalProperties" -> value.isObject() || value.isBoolean() ? null : "a schema";
            case "prefixItems", "anyOf", "oneOf", "allOf" ->
                value.isArray() && !value.isEmpty() ? null : "a list of schemas";
            case "minimum",
                    "maximum",
                    "exclusiveMinimum",
                    "exclusiveMaximum",
                    "multipleOf",
                    "minLength",
                    "maxLength",
                    "minItems",
                    "maxItems" -> value.isNumber() ? null : "a number";
            default -> null;
        };
        if (expected != null) {
            throw refusal("\"" + keyword + "\" is " + expected + ", got " + value);
        }
    }

    private static boolean areTexts(JsonNode list) {
        return list.isArray() && list.valueStream().allMatch(JsonNode::isTextual);
    }

    private static List<JsonNode> list(String keyword, JsonNode value) {
        requireWellFormed(keyword, value);
        return value.valueStream().toList();
    }

    private JsonNode referred(String reference) {
        if (!reference.equals("#") && !reference.startsWith("#/")) {
            throw refusal("\"$ref\" leads within the schema as in #/$defs/name, got " + reference);
        }
        String pointer = URLDecoder.decode(reference.substring(1).replace("+", "%2B"), StandardCharsets.UTF_8);
        JsonNode found = root.at(JsonPointer.compile(pointer));
        if (found.isMissingNode()) {
            throw refusal("\"$ref\": there is nothing at " + reference);
        }
        return found;
    }

    // One of several schemas

    /**
     * Fails if a value could satisfy two of the {@code oneOf} schemas. Only disjoint schemas can be treated as {@code anyOf}.
     *
     * @param beside the schema that contains them, whose other keywords also hold
     */
    private void requireDisjoint(JsonNode schemas, ObjectNode beside, List<JsonNode> following, int depth) {
        List<List<List<ObjectNode>>> branches = new ArrayList<>();
        for (JsonNode one : list("oneOf", schemas)) {
            branches.add(both(expand(one, following, depth + 1), List.of(List.of(beside))));
        }
        for (int first = 0; first < branches.size(); first++) {
            for (int second = first + 1; second < branches.size(); second++) {
                for (List<ObjectNode> one : branches.get(first)) {
                    for (List<ObjectNode> other : branches.get(second)) {
                        if (!areDisjoint(one, other)) {
                            throw refusal(
                                    "the keyword \"oneOf\" cannot be enforced where two of its schemas may hold at once;"
                                            + " they need different types or a property with different constants, or use anyOf");
                        }
                    }
                }
            }
        }
    }

    private boolean areDisjoint(List<ObjectNode> one, List<ObjectNode> other) {
        effort.spend(STEPS_OF_SCHEMA);
        EnumSet<Type> types = types(one);
        types.retainAll(types(other));
        if (types.isEmpty() || areDifferent(constants(one), constants(other))) {
            return true;
        }
        if (!types.equals(EnumSet.of(Type.OBJECT))) {
            return false;
        }
        Set<String> required = required(one);
        required.retainAll(required(other));
        for (String name : required) {
            List<List<ObjectNode>> ofOne = alternatives(member(one, name));
            List<List<ObjectNode>> ofOther = alternatives(member(other, name));
            if (ofOne.stream()
                    .allMatch(mine ->
                            ofOther.stream().allMatch(theirs -> areDifferent(constants(mine), constants(theirs))))) {
                return true;
            }
        }
        return false;
    }

    private static boolean areDifferent(@Nullable List<JsonNode> some, @Nullable List<JsonNode> others) {
        return some != null
                && others != null
                && some.stream().noneMatch(one -> others.stream().anyMatch(other -> areEqual(one, other)));
    }

    // Combined keywords of schemas that must all hold

    EnumSet<Type> types(List<ObjectNode> schemas) {
        EnumSet<Type> types = EnumSet.allOf(Type.class);
        for (ObjectNode schema : schemas) {
            if (schema.has("type")) {
                EnumSet<Type> own = EnumSet.noneOf(Type.class);
                for (String name : typeNames(schema)) {
                    own.add(name.equals("integer") ? Type.NUMBER : type(name));
                }
                if (schema.path("nullable").asBoolean()) {
                    own.add(Type.NULL);
                }
                types.retainAll(own);
            }
        }
        return types;
    }

    private static List<String> typeNames(ObjectNode schema) {
        JsonNode type = schema.get("type");
        return type.isArray() ? type.valueStream().map(JsonNode::asText).toList() : List.of(type.asText());
    }

    private static Type type(String name) {
        for (Type type : Type.values()) {
            if (type.name().toLowerCase(Locale.ROOT).equals(name)) {
                return type;
            }
        }
        throw refusal("the type \"" + name + "\" is not known");
    }

    /** Returns the values of the first enumeration; null if there is none. */
    @Nullable
    List<JsonNode> constants(List<ObjectNode> schemas) {
        for (ObjectNode schema : schemas) {
            if (schema.has("const")) {
                return List.of(schema.get("const"));
            }
            if (schema.has("enum")) {
                return schema.get("enum").valueStream().toList();
            }
        }
        return null;
    }

    NumberAutomata.Range range(List<ObjectNode> schemas) {
        NumberAutomata.Range range = NumberAutomata.Range.ALL;
        for (ObjectNode schema : schemas) {
            if (schema.has("type")) {
                List<String> names = typeNames(schema);
                range = names.contains("integer") && !names.contains("number") ? range.integer() : range;
            }
            if (schema.has("minimum")) {
                range = range.atLeast(number(schema, "minimum"), false);
            }
            if (schema.has("exclusiveMinimum")) {
                range = range.atLeast(number(schema, "exclusiveMinimum"), true);
            }
            if (schema.has("maximum")) {
                range = range.atMost(number(schema, "maximum"), false);
            }
            if (schema.has("exclusiveMaximum")) {
                range = range.atMost(number(schema, "exclusiveMaximum"), true);
            }
            if (schema.has("multipleOf")) {
                BigDecimal factor = number(schema, "multipleOf");
                if (factor.signum() <= 0) {
                    throw refusal("\"multipleOf\" is above 0, got " + factor);
                }
                range = range.multipleOf(factor);
            }
        }
        return range;
    }

    private static BigDecimal number(ObjectNode schema, String keyword) {
        return decimal(keyword, schema.get(keyword));
    }

    private static BigDecimal decimal(String keyword, JsonNode value) {
        BigDecimal number = value.decimalValue();
        if (Math.abs((long) number.scale()) + number.precision() > 400) {
            throw refusal("\"" + keyword + "\" has at most 400 digits, got " + value);
        }
        return number;
    }

    /** Returns the largest value of a lower bound, or the smallest value of an upper one; −1 if there is none. */
    int bound(List<ObjectNode> schemas, String keyword, int limit) {
        boolean isLower = keyword.startsWith("min");
        int bound = -1;
        for (ObjectNode schema : schemas) {
            if (schema.has(keyword)) {
                BigDecimal number = number(schema, keyword);
                if (number.signum() < 0 || number.stripTrailingZeros().scale() > 0) {
                    throw refusal("\"" + keyword + "\" is a whole number of at least 0, got " + number);
                }
                if (number.compareTo(BigDecimal.valueOf(limit)) > 0) {
                    throw refusal("\"" + keyword + "\" is at most " + limit + ", got " + number);
                }
                int value = number.intValueExact();
                bound = bound < 0 ? value : isLower ? Math.max(bound, value) : Math.min(bound, value);
            }
        }
        return bound;
    }

    /** Returns the names of members in the order of the document, followed by names that occur only in {@code required}. */
    List<String> names(List<ObjectNode> schemas) {
        Set<String> names = new LinkedHashSet<>();
        for (ObjectNode schema : schemas) {
            schema.path("properties").fieldNames().forEachRemaining(names::add);
        }
        for (ObjectNode schema : schemas) {
            schema.path("required").forEach(name -> names.add(name.asText()));
        }
        return List.copyOf(names);
    }

    Set<String> required(List<ObjectNode> schemas) {
        Set<String> names = new HashSet<>();
        for (ObjectNode schema : schemas) {
            schema.path("required").forEach(name -> names.add(name.asText()));
        }
        return names;
    }

    /** Returns the schemas of a member: for each schema the one of this name, else its {@code additionalProperties}. */
    List<JsonNode> member(List<ObjectNode> schemas, String name) {
        List<JsonNode> all = new ArrayList<>();
        for (ObjectNode schema : schemas) {
            JsonNode own = schema.path("properties").path(name);
            JsonNode given = own.isMissingNode() ? schema.path("additionalProperties") : own;
            if (!given.isMissingNode()) {
                all.add(given);
            }
        }
        return all;
    }

    /** Returns the schemas for members that no schema names. */
    List<JsonNode> otherMembers(List<ObjectNode> schemas) {
        List<JsonNode> all = new ArrayList<>();
        for (ObjectNode schema : schemas) {
            if (schema.has("additionalProperties")) {
                all.add(schema.get("additionalProperties"));
            }
        }
        return all;
    }

    /** Returns the number of items that have their own schemas. */
    int prefix(List<ObjectNode> schemas) {
        int prefix = 0;
        for (ObjectNode schema : schemas) {
            if (schema.has("prefixItems")) {
                prefix = Math.max(
                        prefix, list("prefixItems", schema.get("prefixItems")).size());
            }
        }
        return prefix;
    }

    List<JsonNode> item(List<ObjectNode> schemas, int number) {
        List<JsonNode> all = new ArrayList<>();
        for (ObjectNode schema : schemas) {
            JsonNode own = schema.path("prefixItems").path(number);
            JsonNode given = own.isMissingNode() ? schema.path("items") : own;
            if (!given.isMissingNode()) {
                all.add(given);
            }
        }
        return all;
    }

    // Values

    boolean isValid(JsonNode value, List<ObjectNode> schemas, StringPatterns strings) {
        if (!types(schemas).contains(type(value))) {
            return false;
        }
        for (ObjectNode schema : schemas) {
            boolean isListed = (!schema.has("const") || areEqual(schema.get("const"), value))
                    && (!schema.has("enum") || enumerated(schema).contains(comparable(value)));
            if (!isListed) {
                return false;
            }
        }
        return switch (type(value)) {
            case NULL, BOOLEAN -> true;
            case NUMBER -> range(schemas).contains(decimal("const", value));
            case STRING -> strings.matches(schemas, value.textValue());
            case ARRAY -> isValidArray(value, schemas, strings);
            case OBJECT -> isValidObject(value, schemas, strings);
        };
    }

    private boolean satisfies(JsonNode value, List<JsonNode> schemas, StringPatterns strings) {
        return alternatives(schemas).stream().anyMatch(one -> isValid(value, one, strings));
    }

    private boolean isValidArray(JsonNode value, List<ObjectNode> schemas, StringPatterns strings) {
        int max = bound(schemas, "maxItems", Integer.MAX_VALUE);
        if (value.size() < bound(schemas, "minItems", Integer.MAX_VALUE) || max >= 0 && value.size() > max) {
            return false;
        }
        for (int number = 0; number < value.size(); number++) {
            if (!satisfies(value.get(number), item(schemas, number), strings)) {
                return false;
            }
        }
        return true;
    }

    private boolean isValidObject(JsonNode value, List<ObjectNode> schemas, StringPatterns strings) {
        return required(schemas).stream().allMatch(value::has)
                && value.propertyStream()
                        .allMatch(one -> satisfies(one.getValue(), member(schemas, one.getKey()), strings));
    }

    private static Type type(JsonNode value) {
        return switch (value.getNodeType()) {
            case NULL -> Type.NULL;
            case BOOLEAN -> Type.BOOLEAN;
            case NUMBER -> Type.NUMBER;
            case STRING -> Type.STRING;
            case ARRAY -> Type.ARRAY;
            default -> Type.OBJECT;
        };
    }

    private Set<Object> enumerated(ObjectNode schema) {
        return enumerated.computeIfAbsent(schema, unseen -> {
            effort.spend(STEPS_OF_SCHEMA * (long) schema.get("enum").size());
            return schema.get("enum")
                    .valueStream()
                    .map(SchemaDocument::comparable)
                    .collect(Collectors.toSet());
        });
    }

    /** Returns true if two values are equal in JSON, where 1 equals 1.0. */
    static boolean areEqual(JsonNode one, JsonNode other) {
        return comparable(one).equals(comparable(other));
    }

    /** Returns a key of a value. Two values are equal in JSON if their keys are equal. */
    private static Object comparable(JsonNode value) {
        return switch (value.getNodeType()) {
            case NUMBER ->
                value.decimalValue().signum() == 0
                        ? BigDecimal.ZERO
                        : value.decimalValue().stripTrailingZeros();
            case ARRAY -> value.valueStream().map(SchemaDocument::comparable).toList();
            case OBJECT ->
                value.propertyStream()
                        .collect(Collectors.toMap(Map.Entry::getKey, member -> comparable(member.getValue())));
            default -> value;
        };
    }
}
