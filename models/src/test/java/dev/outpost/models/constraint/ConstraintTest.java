package dev.outpost.models.constraint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Fixtures;
import dev.outpost.models.Sampling;
import dev.outpost.models.TextStream;
import dev.outpost.types.OutpostException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The generated text matches, although a model with random weights prefers arbitrary tokens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConstraintTest {
    private static final String SCHEMA = """
            {"type": "object",
             "properties": {
               "name": {"type": "string", "maxLength": 4},
               "kind": {"enum": ["a", "b", 3]},
               "count": {"type": "integer"},
               "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}, "minItems": 1, "maxItems": 2},
               "more": {"anyOf": [{"type": "null"}, {"type": "boolean"}]}},
             "required": ["name", "tags"],
             "$defs": {"tag": {"type": "string", "pattern": "^[xy]{1,2}$"}}}""";

    private RemoteMachine machine;
    private CausalLM model;

    @BeforeAll
    void load() {
        machine = Fixtures.machine();
        model = CausalLM.load(machine, Fixtures.uri("text"));
    }

    @AfterAll
    void close() {
        model.close();
        machine.close();
    }

    private String generate(TokenConstraint constraint, long seed) {
        Sampling wild = Sampling.temperature(3).seed(seed).maxTokens(60);
        try (TextStream stream = model.generate("x", wild, constraint)) {
            return stream.toEnd();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[a-c]{3,5}",
                "yes|no|perhaps",
                "\"(ab|[\"c]){1,3}\\\"",
                "ü(🙂|日本)?x",
                "\\d{4}-\\d{2}-\\d{2}",
                "The machine [a-z]{1,6}\\."
            })
    void textMatchesAnExpression(String expression) {
        TokenConstraint constraint = model.regex(expression);
        for (long seed = 0; seed < 4; seed++) {
            String text = generate(constraint, seed);
            assertTrue(text.matches(expression), text);
        }
    }

    @Test
    void textIsJsonOfASchema() throws Exception {
        TokenConstraint constraint = model.jsonSchema(SCHEMA);
        JsonMapper mapper = JsonMapper.builder().build();
        for (long seed = 0; seed < 8; seed++) {
            String text = generate(constraint, seed);
            if (text.endsWith("}")) {
                JsonNode json = mapper.readTree(text);
                assertTrue(
                        json.get("name")
                                        .asText()
                                        .codePointCount(
                                                0, json.get("name").asText().length())
                                <= 4,
                        text);
                assertTrue(json.get("tags").size() >= 1 && json.get("tags").size() <= 2, text);
                json.get("tags").forEach(tag -> assertTrue(tag.asText().matches("[xy]{1,2}"), text));
            } else {
                // An integer may have any number of digits.
                assertTrue(text.matches("(?s)\\{\"name\": ?\".*"), text);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\": \"thing\"}",
                "{\"type\": \"array\", \"uniqueItems\": true}",
                "{\"$ref\": \"#/$defs/none\"}",
                "not json"
            })
    void aSchemaThatCannotBeUsedIsRefused(String schema) {
        String message = assertThrows(OutpostException.class, () -> model.jsonSchema(schema))
                .getMessage();
        assertTrue(message.startsWith("JSON schema: "), message);
    }

    /** The token that ends a text ends one with a constraint also where it is to be ignored. */
    @Test
    void textsOfABatchMatchTogether() {
        Sampling wild = Sampling.temperature(3).maxTokens(20).ignoreEnd();
        int[] prompt = model.tokenizer().encode("x");
        for (int[] tokens : model.generate(List.of(prompt, prompt, prompt), wild, model.regex("(ab){1,3}"))
                .toEnd()) {
            String text = model.tokenizer().decode(tokens);
            assertTrue(text.matches("(ab){1,3}"), text);
        }
    }

    /** Strings, lists and objects without a bound come to their end before the tokens are used up, whatever the model prefers. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 12, 40})
    void textIsWholeByItsLastToken(int tokens) throws Exception {
        JsonMapper mapper = JsonMapper.builder().build();
        for (TokenConstraint constraint : List.of(
                model.jsonSchema("{\"type\": \"object\"}"),
                model.jsonSchema("{\"type\": \"array\"}"),
                model.jsonSchema("{\"type\": \"string\"}"))) {
            assertTrue(constraint.tokensToEnd(0) <= 2);
            for (long seed = 0; seed < 4; seed++) {
                Sampling wild = Sampling.temperature(3).seed(seed).maxTokens(tokens);
                try (TextStream stream = model.generate("x", wild, constraint)) {
                    JsonNode json = mapper.readTree(stream.toEnd());
                    assertTrue(json.isContainerNode() || json.isTextual(), json::toString);
                }
            }
        }
    }

    /** A text that cannot be whole by then is cut off in its midst, as without a bound. */
    @Test
    void aTextThatIsTooLongForItsTokensIsCutOff() {
        TokenConstraint constraint = model.regex("[xyz]{9}");
        assertTrue(constraint.tokensToEnd(0) > 2);
        try (TextStream stream =
                model.generate("x", Sampling.temperature(3).seed(1).maxTokens(2), constraint)) {
            assertTrue(stream.toEnd().matches("[xyz]{1,8}"));
        }
    }

    /** Tokens that say the same everywhere are one class, so a constraint takes little room. */
    @Test
    void tokensWithTheSameMeaningAreOneClass() {
        TokenConstraint object = model.jsonSchema("{\"type\": \"object\"}");
        assertEquals(320, object.vocabulary());
        assertTrue(object.classes() < 160, () -> object.classes() + " classes");
        assertTrue(object.states() < 6000, () -> object.states() + " states");
    }

    @Test
    void anExpressionThatCannotBeUsedIsRefused() {
        assertTrue(assertThrows(OutpostException.class, () -> model.regex("(a"))
                .getMessage()
                .startsWith("constraint: the expression is malformed"));
        assertTrue(assertThrows(OutpostException.class, () -> model.regex("[^\\s\\S]"))
                .getMessage()
                .startsWith("constraint: "));
    }
}
