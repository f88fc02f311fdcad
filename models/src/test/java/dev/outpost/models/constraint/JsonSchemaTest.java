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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The texts that a schema accepts. */
class JsonSchemaTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String OBJECT = "{\"type\": \"object\"}";
    private static final String THING = """
            {"type": "object", "required": ["a", "d"], "properties": {
              "a": {"type": "integer"}, "b": {"type": ["string", "null"], "maxLength": 3},
              "c": {"enum": ["x", 1]}, "d": {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2}}}""";

    private static boolean accepts(String schema, String text) {
        Automaton automaton = Operations.determinize(JsonSchema.generated(schema, () -> false), 1_000_000);
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

    /** The limit of tokens ends a text, so a list needs no limit of its own. */
    @Test
    void aListHasAsManyItemsAsItsSchemaAllows() {
        String schema = "{\"type\": \"array\", \"items\": {\"enum\": [1, 2]}}";
        String item = "1,";
        assertTrue(accepts(schema, "[" + item.repeat(2000) + "2]"));
        String most = "{\"type\": \"array\", \"maxItems\": 300, \"items\": {\"enum\": [1, 2]}}";
        assertTrue(accepts(most, "[" + item.repeat(299) + "2]"));
        assertFalse(accepts(most, "[" + item.repeat(300) + "2]"));
        String least = "{\"type\": \"array\", \"minItems\": 300, \"items\": {\"enum\": [1, 2]}}";
        assertFalse(accepts(least, "[" + item.repeat(298) + "2]"));
        assertTrue(accepts(least, "[" + item.repeat(299) + "2]"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"boolean\"}, \"required\": [\"k\"]}|{\"a\":0}|{\"k\":true,\"b\":false}",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"boolean\"}}, \"required\": [\"a\", \"zz\"], \"additionalProperties\": {\"type\": \"integer\"}}|{\"a\": false}|{\"a\":false,\"zz\":1}",
                "{\"type\": \"object\", \"properties\": {}}|{\"a\":1}|{}",
                "{\"type\": \"string\", \"format\": \"date\"}|\"2026-02-29\"|\"2026-02-28\"",
                "{\"type\": \"string\", \"format\": \"date\"}|\"hello\"|\"2024-02-29\"",
                "{\"type\": \"string\", \"format\": \"email\"}|\"a@b@c\"|\"a.b@example.org\"",
                "{\"type\": \"string\", \"format\": \"uuid\"}|\"123\"|\"123e4567-e89b-12d3-a456-426614174000\"",
                "{\"type\": \"integer\", \"minimum\": 3, \"maximum\": 11}|12|11",
                "{\"type\": \"number\", \"exclusiveMinimum\": -1.5, \"maximum\": 0.25}|-1.5|-1.49",
                "{\"type\": \"number\", \"exclusiveMinimum\": -1.5, \"maximum\": 0.25}|0.2501|0.25",
                "{\"type\": \"integer\", \"multipleOf\": 7}|15|-21",
                "{\"type\": \"number\", \"multipleOf\": 0.01}|1.005|1.05",
                "{\"type\": \"integer\", \"multipleOf\": 123456}|123457|246912",
                "{\"type\": \"array\", \"prefixItems\": [{\"type\": \"integer\"}, {\"type\": \"string\"}], \"items\": false}|[1,2]|[1,\"x\"]",
                "{\"type\": \"string\", \"pattern\": \"\\\\d{3}-\\\\d{4}\"}|\"12-34\"|\"call 555-1234 now\"",
                "`{\"type\": \"string\", \"pattern\": \"^(a|b)|c$\"}`|\"da\"|\"dc\"",
                "{\"type\": \"string\", \"pattern\": \"^[^x]\", \"maxLength\": 2}|\"xy\"|\"\\\"y\"",
                "{\"allOf\": [{\"type\": \"integer\", \"minimum\": 3}, {\"maximum\": 5}]}|6|5",
                "{\"oneOf\": [{\"type\": \"integer\"}, {\"type\": \"string\"}]}|true|\"x\"",
                "`{\"type\": \"string\", \"pattern\": \"^(^$|^[a-z]+$)$\"}`|\"A\"|\"\"",
                "`{\"type\": \"string\", \"pattern\": \"^(^$|^[a-z]+$)$\"}`|\"a1\"|\"abc\"",
                "`{\"type\": \"string\", \"pattern\": \"^(^a|b)$\"}`|\"ab\"|\"a\"",
                "`{\"type\": \"string\", \"pattern\": \"^(?:foo$|bar)$\"}`|\"foobar\"|\"foo\"",
                "{\"type\": \"string\", \"pattern\": \"$^\"}|\"a\"|\"\"",
                "`{\"type\": \"string\", \"pattern\": \"a(^|$)|b(?:^)\"}`|\"ab\"|\"ba\"",
                "`{\"type\": \"string\", \"pattern\": \"(?:^|,)x(?:,|$)\"}`|\"axa\"|\"a,x\"",
                "`{\"type\": \"string\", \"pattern\": \"^((a|b|ab)*)*$\"}`|\"abc\"|\"abba\"",
                "{\"type\": \"string\", \"pattern\": \"^\\\\P{L}{2}$\"}|\"1a\"|\"1-\"",
                "{\"type\": \"integer\"}|12345678901234567890|-9223372036854775808",
                "{\"type\": \"integer\", \"minimum\": 1000000000000000000}|999999999999999999|1234567890123456789",
                "{\"type\": \"integer\", \"exclusiveMinimum\": 9999999999999999999}|9999999999999999999|10000000000000000000",
                "{\"type\": \"integer\", \"maximum\": -1e30}|-1|-2000000000000000000000000000000",
                "{\"exclusiveMinimum\": 0, \"maximum\": 1e-20}|0.0|0.00000000000000000001",
                "{\"type\": \"integer\", \"multipleOf\": 1000}|1234500|1234567000",
                "{\"type\": \"integer\", \"multipleOf\": 1e30}|1|-2000000000000000000000000000000",
                "{\"type\": \"integer\", \"multipleOf\": 1999, \"minimum\": 10000}|9995|11994",
                "{\"const\": 1e3}|1E+3|1000",
                "{\"enum\": [2.50, [1e2]]}|[1E+2]|[100]",
                "{\"enum\": [\"one\", \"once\", 1], \"type\": \"string\"}|1|\"once\"",
                "{\"enum\": [1.0, \"x\"], \"const\": 1}|\"x\"|1",
                "{\"type\": \"array\", \"items\": {\"const\": 1}, \"uniqueItems\": false}|[2]|[1, 1]",
                "{\"type\": \"object\", \"oneOf\": [{\"properties\": {\"k\": {\"const\": 1}}, \"required\": [\"k\"]}, {\"properties\": {\"k\": {\"const\": 2}}, \"required\": [\"k\"]}], \"discriminator\": {\"propertyName\": \"k\"}}|{\"k\":3}|{\"k\":2}",
            })
    void keywordsAreEnforced(String schema, String forbidden, String allowed) {
        assertFalse(accepts(schema, forbidden), forbidden);
        assertTrue(accepts(schema, allowed), allowed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\": \"string\", \"format\": \"uri\"}|the keyword \"format\"",
                "{\"oneOf\": [{\"type\": \"integer\"}, {\"minimum\": 2}]}|the keyword \"oneOf\"",
                "{\"type\": \"string\", \"pattern\": \"(?=a)b\"}|pattern: a look-around",
                "{\"type\": \"object\", \"properties\": {\"a\": true}, \"required\": [\"zz\"], \"additionalProperties\": false}|no value satisfies it",
                "{\"type\": \"string\", \"maxLength\": 5000}|\"maxLength\" is at most 1000",
                "{\"$ref\": \"other.json\"}|\"$ref\"",
                "{\"minimum\": \"3\"}|\"minimum\" is a number",
                "{\"type\": \"string\", \"minimum\": \"3\"}|\"minimum\" is a number",
                "{\"type\": \"string\", \"pattern\": 5}|\"pattern\" is a string, got 5",
                "{\"type\": \"object\", \"required\": [1]}|\"required\" is a list of names, got [1]",
                "{\"type\": \"string\", \"nullable\": \"yes\"}|\"nullable\" is true or false",
                "{\"type\": []}|\"type\" is a type or a list of types, got []",
                "{\"type\": \"array\", \"items\": [{}]}|\"items\" is a schema",
                "{\"type\": \"array\", \"uniqueItems\": \"no\"}|the keyword \"uniqueItems\"",
                "{\"discriminator\": {\"propertyName\": \"k\"}}|the keyword \"discriminator\"",
                "{\"const\": 1e999999999, \"multipleOf\": 7}|\"const\" has at most 400 digits",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"#\"}}, \"required\": [\"a\"]}|contains itself at most 16 times",
                "{\"type\": \"integer\", \"minimum\": 0.5, \"maximum\": 0.6}|no value satisfies it",
            })
    void whatCannotBeEnforcedIsRefused(String schema, String reason) {
        String message = assertThrows(OutpostException.class, () -> JsonSchema.generated(schema, () -> false))
                .getMessage();
        assertTrue(message.startsWith("JSON schema: ") && message.contains(reason), message);
    }

    @Test
    void aListOfItselfIsFollowedManyTimes() {
        String list =
                "{\"type\": \"object\", \"properties\": {\"next\": {\"anyOf\": [{\"$ref\": \"#\"}, {\"type\": \"null\"}]}}, \"required\": [\"next\"]}";
        assertTrue(accepts(list, "{\"next\":".repeat(12) + "null" + "}".repeat(12)));
        assertFalse(accepts(list, "{\"next\":".repeat(12) + "1" + "}".repeat(12)));
    }

    @Test
    void anUnknownKeywordIsNamed() {
        assertEquals(
                "JSON schema: the keyword \"uniqueItems\" cannot be enforced",
                assertThrows(
                                OutpostException.class,
                                () -> JsonSchema.automaton(
                                        "{\"properties\": {\"a\": {\"type\": \"array\", \"uniqueItems\": true}}}"))
                        .getMessage());
    }

    /** Combinations that double at each step are refused before they are built. */
    @ParameterizedTest
    @ValueSource(strings = {"anyOf", "allOf"})
    void alternativesThatDoubleAreRefused(String keyword) {
        String schema = IntStream.range(0, 40)
                .mapToObj(number -> "\"d" + number + "\": {\"" + keyword + "\": [{\"$ref\": \"#/$defs/d" + (number + 1)
                        + "\"}, {\"$ref\": \"#/$defs/d" + (number + 1) + "\"}]}")
                .collect(Collectors.joining(", ", "{\"$ref\": \"#/$defs/d0\", \"$defs\": {", ", \"d40\": false}}"));
        assertTrue(tooMany(() -> JsonSchema.generated(schema, () -> false)).startsWith("JSON schema: "));
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
        String message = tooMany(() -> JsonSchema.automaton(schema));
        assertTrue(message.contains("too many states"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"((a{1000}){1000}){1000}", "((a{1000,}){1000,}){1000,}"})
    void repeatedRepetitionsOfAnExpressionAreRefused(String expression) {
        assertEquals("constraint: it has too many states to be used", tooMany(() -> JsonSchema.regex(expression)));
    }

    @Test
    void manyMembersThatNeedNotBeThereTakeFewStates() {
        String schema = IntStream.range(0, 60)
                .mapToObj(number -> "\"m" + number + "\": {\"type\": \"boolean\"}")
                .collect(Collectors.joining(
                        ", ", "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {", "}}"));
        assertTrue(accepts(schema, "{\"m3\": true, \"m59\": false}"));
        assertTrue(JsonSchema.automaton(schema).getNumStates() < 10_000);
    }
}
