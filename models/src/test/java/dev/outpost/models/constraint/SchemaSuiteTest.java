package dev.outpost.models.constraint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.junit.jupiter.api.Test;

/**
 * The public tests of JSON Schema. A schema of enforced keywords accepts the valid instances, and them only; any other is refused by the
 * name of a keyword.
 */
class SchemaSuiteTest {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            // Keeps 1.0 instead of converting it to 1.
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();
    private static final ObjectWriter PLAIN = MAPPER.writer().with(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN);
    private static final ObjectWriter ASCII = PLAIN.with(JsonWriteFeature.ESCAPE_NON_ASCII);

    private static final Set<String> KEYWORDS = Set.of(
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
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "anyOf",
            "allOf",
            "$ref");
    private static final Set<String> NOTES = Set.of("$schema", "$defs", "$comment", "title", "description", "default");
    private static final Set<String> OF_SCHEMAS =
            Set.of("properties", "$defs", "definitions", "patternProperties", "dependentSchemas");
    private static final Set<String> OF_VALUES = Set.of("enum", "const", "default", "examples", "required");

    private int enforced;
    private int refused;
    private final List<String> beyond = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    @Test
    void everyKeywordIsEnforcedOrRefused() throws IOException {
        Path suite = Path.of("src/test/resources/json-schema-test-suite");
        try (Stream<Path> files = Files.walk(suite)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".json"))
                    .sorted()
                    .toList()) {
                for (JsonNode one : MAPPER.readTree(file.toFile())) {
                    check(suite.relativize(file) + ": " + one.get("description").asText(), one);
                }
            }
        }
        System.out.println("JSON Schema tests: " + enforced + " schemas enforced, " + refused + " refused by keyword, "
                + beyond.size() + " with other keywords enforced " + beyond);
        assertEquals("", String.join("\n", failures));
        assertTrue(enforced >= 150, () -> enforced + " enforced");
        assertTrue(refused >= 250, () -> refused + " refused");
    }

    private void check(String name, JsonNode test) {
        JsonNode schema = test.get("schema");
        Set<String> others = new TreeSet<>();
        Set<String> names = new LinkedHashSet<>();
        read(schema, schema, others, names);
        CharacterRunAutomaton texts;
        try {
            Automaton automaton = JsonSchema.automaton(schema.toString());
            texts = new CharacterRunAutomaton(Operations.determinize(automaton, 10_000_000));
        } catch (OutpostException refusal) {
            refused++;
            if (others.stream().noneMatch(one -> refusal.getMessage().contains(one))) {
                failures.add(name + ": " + refusal.getMessage());
            }
            return;
        }
        if (others.isEmpty()) {
            enforced++;
        } else {
            beyond.add(name + " " + others);
        }
        for (JsonNode instance : test.get("tests")) {
            boolean isValid = instance.get("valid").booleanValue();
            for (ObjectWriter writer : List.of(PLAIN, ASCII)) {
                String text = text(ordered(instance.get("data"), names), writer);
                boolean isAccepted = texts.run(text);
                // Other enforced keywords may be mere annotations in the draft, so a valid text may be rejected.
                if (isAccepted && !isValid || !isAccepted && isValid && others.isEmpty()) {
                    failures.add(name + ", " + instance.get("description").asText() + ": " + text + " is "
                            + (isValid ? "valid" : "invalid") + " by " + schema);
                }
            }
        }
    }

    private static String text(JsonNode value, ObjectWriter writer) {
        try {
            return writer.writeValueAsString(value);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Orders members as the schema does, with unnamed ones at the end. */
    private static JsonNode ordered(JsonNode value, Set<String> names) {
        if (value instanceof ArrayNode array) {
            ArrayNode ordered = MAPPER.createArrayNode();
            array.forEach(one -> ordered.add(ordered(one, names)));
            return ordered;
        }
        if (!(value instanceof ObjectNode object)) {
            return value;
        }
        ObjectNode ordered = MAPPER.createObjectNode();
        names.stream().filter(object::has).forEach(name -> ordered.set(name, ordered(object.get(name), names)));
        object.properties().stream()
                .filter(member -> !names.contains(member.getKey()))
                .forEach(member -> ordered.set(member.getKey(), ordered(member.getValue(), names)));
        return ordered;
    }

    /** Collects keywords that need not be enforced, and the names of members. */
    private static void read(JsonNode schema, JsonNode root, Set<String> others, Set<String> names) {
        if (schema.isArray()) {
            schema.forEach(one -> read(one, root, others, names));
            return;
        }
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            String key = keyword.getKey();
            JsonNode value = keyword.getValue();
            boolean isForeign = key.equals("$ref") && !isLocal(value.asText(), root)
                    || key.equals("$schema") && !value.asText().equals("https://json-schema.org/draft/2020-12/schema");
            if (isForeign || !KEYWORDS.contains(key) && !NOTES.contains(key)) {
                others.add(key);
            }
            if (OF_SCHEMAS.contains(key)) {
                value.properties().forEach(one -> {
                    if (key.equals("properties")) {
                        names.add(one.getKey());
                    }
                    read(one.getValue(), root, others, names);
                });
            } else if (!OF_VALUES.contains(key)) {
                read(value, root, others, names);
            }
        }
    }

    private static boolean isLocal(String reference, JsonNode root) {
        return reference.equals("#") || reference.startsWith("#/");
    }
}
