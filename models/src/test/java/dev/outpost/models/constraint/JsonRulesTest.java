package dev.outpost.models.constraint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which texts are JSON of a schema. */
class JsonRulesTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String THING = """
            {"type": "object", "required": ["a", "d"], "properties": {
              "a": {"type": "integer"}, "b": {"type": ["string", "null"], "maxLength": 3},
              "c": {"enum": ["x", 1]}, "d": {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2}}}""";

    private static boolean takes(String schema, String text) {
        Grammar grammar = new Grammar();
        JsonRules rules = new JsonRules(grammar);
        Grammar.State state;
        try {
            state = grammar.begin(schema == null ? rules.object() : rules.of(MAPPER.readTree(schema)));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
        for (char c : text.toCharArray()) {
            state = grammar.advance(state, c);
        }
        return state.isAccepting();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"a\": 1}",
                "{\"a\":[1,-2.5e+3,null],\"b\": {\"c\": \"x\\n\\u00e4ü\"}}",
                "{\"\": true, \"x\": []}"
            })
    void objectsAreTaken(String text) throws Exception {
        assertTrue(MAPPER.readTree(text).isObject());
        assertTrue(takes(null, text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "1",
                "{\"a\" 1}",
                "{\"a\": 01}",
                "{\"a\": 1,}",
                "{\"a\":\n1}",
                "{}{}",
                "{\"a\": \"\t\"}"
            })
    void otherTextsAreNot(String text) {
        assertFalse(takes(null, text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": 1, \"d\": [true]}",
                "{\"a\":-7,\"b\":null,\"c\":\"x\",\"d\":[true,false]}",
                "{\"a\": 0, \"b\": \"abc\", \"d\": [false]}",
                "{\"a\": 0, \"c\": 1, \"d\": [false]}"
            })
    void whatTheSchemaSaysIsTaken(String text) {
        assertTrue(takes(THING, text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"a\": 1}",
                "{\"d\": [true], \"a\": 1}",
                "{\"a\": 1.5, \"d\": [true]}",
                "{\"a\": 1, \"b\": \"abcd\", \"d\": [true]}",
                "{\"a\": 1, \"c\": 2, \"d\": [true]}",
                "{\"a\": 1, \"d\": []}",
                "{\"a\": 1, \"d\": [true, true, true]}",
                "{\"a\": 1, \"d\": [true], \"e\": 1}"
            })
    void whatItDoesNotSayIsNot(String text) {
        assertFalse(takes(THING, text));
    }

    @Test
    void schemasContainThemselves() {
        String tree = """
                {"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "required": ["next"],
                 "properties": {"next": {"anyOf": [{"$ref": "#/$defs/tree"}, {"type": "null"}]}}}}}""";
        assertTrue(takes(tree, "{\"next\": {\"next\": {\"next\": null}}}"));
        assertFalse(takes(tree, "{\"next\": {\"next\": 1}}"));
    }

    @Test
    void whatIsNotKnownIsNamed() {
        assertEquals(
                "schema.a: \"pattern\" is not known",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> takes(
                                        "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\","
                                                + " \"pattern\": \"x\"}}}",
                                        ""))
                        .getMessage());
    }

    @Test
    void nothingFollowsAWholeObject() {
        Grammar grammar = new Grammar();
        Grammar.State state = grammar.begin(new JsonRules(grammar).object());
        state = grammar.advance(grammar.advance(state, '{'), '}');
        assertTrue(state.isOver());
    }
}
