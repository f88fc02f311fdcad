package dev.outpost.models.constraint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.types.OutpostException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which texts are JSON of a schema. */
class JsonSchemaTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String OBJECT = "{\"type\": \"object\"}";
    private static final String THING = """
            {"type": "object", "required": ["a", "d"], "properties": {
              "a": {"type": "integer"}, "b": {"type": ["string", "null"], "maxLength": 3},
              "c": {"enum": ["x", 1]}, "d": {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2}}}""";

    private static boolean accepts(String schema, String text) {
        Automaton automaton = Operations.determinize(JsonSchema.automaton(schema), 1_000_000);
        return new CharacterRunAutomaton(automaton).run(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"a\": 1}",
                "{\"a\":[1,-2.5e+3,null],\"b\": {\"c\": \"x\\n\\u00e4ü\"}}",
                "{\"\": true, \"x\": []}",
                "{\"a\": [{\"b\": 1}]}"
            })
    void objectsAreAccepted(String text) throws Exception {
        assertTrue(MAPPER.readTree(text).isObject());
        assertTrue(accepts(OBJECT, text));
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
                "{\"a\": \"\t\"}",
                "{\"a\": 12345678901234567890}"
            })
    void otherTextsAreRejected(String text) {
        assertFalse(accepts(OBJECT, text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": 1, \"d\": [true]}",
                "{\"a\":-7,\"b\":null,\"c\":\"x\",\"d\":[true,false]}",
                "{\"a\": 0, \"b\": \"abc\", \"d\": [false]}",
                "{\"a\": 0, \"c\": 1, \"d\": [false]}"
            })
    void textOfTheSchemaIsAccepted(String text) {
        assertTrue(accepts(THING, text));
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
    void otherTextIsRejected(String text) {
        assertFalse(accepts(THING, text));
    }

    @Test
    void schemasContainThemselves() {
        String tree = """
                {"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "required": ["next"],
                 "properties": {"next": {"anyOf": [{"$ref": "#/$defs/tree"}, {"type": "null"}]}}}}}""";
        assertTrue(accepts(tree, "{\"next\": {\"next\": {\"next\": null}}}"));
        assertFalse(accepts(tree, "{\"next\": {\"next\": 1}}"));
    }

    @Test
    void kindsThatAreNotSaidAreAny() {
        String schema =
                "{\"properties\": {\"a\": {}, \"b\": {\"type\": \"array\"}, \"c\": {\"type\": \"string\", \"nullable\": true}}}";
        assertTrue(accepts(schema, "{\"a\": [1, {\"x\": null}], \"b\": [[], 2], \"c\": null}"));
        assertTrue(accepts(schema, "{\"c\": \"x\"}"));
        assertFalse(accepts(schema, "{\"b\": 1}"));
    }

    /** A model that repeats items would go on until its tokens are used up, and leave a text that is no JSON. */
    @Test
    void aListWithoutABoundHasOneAllTheSame() {
        String schema = "{\"type\": \"array\", \"items\": {\"enum\": [1, 2]}}";
        String item = "1,";
        assertTrue(accepts(schema, "[" + item.repeat(255) + "2]"));
        assertFalse(accepts(schema, "[" + item.repeat(256) + "2]"));
        String most = "{\"type\": \"array\", \"maxItems\": 300, \"items\": {\"enum\": [1, 2]}}";
        assertTrue(accepts(most, "[" + item.repeat(299) + "2]"));
        String least = "{\"type\": \"array\", \"minItems\": 300, \"items\": {\"enum\": [1, 2]}}";
        assertTrue(accepts(least, "[" + item.repeat(299) + "2]"));
    }

    @Test
    void anUnknownKeywordIsNamed() {
        assertEquals(
                "JSON schema: the keyword \"multipleOf\" is not known",
                assertThrows(
                                OutpostException.class,
                                () -> JsonSchema.automaton(
                                        "{\"properties\": {\"a\": {\"type\": \"integer\", \"multipleOf\": 3}}}"))
                        .getMessage());
    }

    private static String tooMany(Executable built) {
        return assertThrows(OutpostException.class, built).getMessage();
    }

    /** A caller of a deployment names the schema: it must not take the memory of the server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\": \"string\", \"pattern\": \"^((a{1000}){1000}){1000}$\"}",
                "{\"type\": \"string\", \"pattern\": \"^((a{1000,}){1000,}){1000,}$\"}",
                "{\"type\": \"array\", \"minItems\": 1000, \"items\": {\"type\": \"array\", \"minItems\": 1000,"
                        + " \"items\": {\"type\": \"array\", \"minItems\": 1000, \"items\": {\"type\": \"boolean\"}}}}"
            })
    void repeatedRepetitionsAreRefused(String schema) {
        assertEquals("constraint: it has too many states to be used", tooMany(() -> JsonSchema.automaton(schema)));
    }

    @Test
    void manyMembersThatNeedNotBeThereAreRefused() {
        String schema = IntStream.range(0, 60)
                .mapToObj(number -> "\"m" + number + "\": {\"type\": \"integer\"}")
                .collect(Collectors.joining(", ", "{\"type\": \"object\", \"properties\": {", "}}"));
        assertEquals("constraint: it has too many states to be used", tooMany(() -> JsonSchema.automaton(schema)));
    }

    @Test
    void schemaThatContainsItselfManyTimesIsRefused() {
        String schema = IntStream.range(0, 60)
                .mapToObj(number -> "{\"$ref\": \"#\"}")
                .collect(Collectors.joining(", ", "{\"anyOf\": [{\"type\": \"integer\"}, ", "]}"));
        assertEquals("constraint: it has too many states to be used", tooMany(() -> JsonSchema.automaton(schema)));
    }

    /** A dot is no end of a line. */
    @ParameterizedTest
    @ValueSource(strings = {"^a\\n\\\"\\nb$", "^a\\nb$", "^a\\\\\\\\d$"})
    void patternsHaveNoQuotesNorControlCharacters(String pattern) {
        assertThrows(
                OutpostException.class,
                () -> JsonSchema.automaton("{\"type\": \"string\", \"pattern\": \"" + pattern + "\"}"));
    }
}
