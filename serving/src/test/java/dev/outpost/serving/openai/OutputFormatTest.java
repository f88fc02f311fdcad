package dev.outpost.serving.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.serving.http.ApiException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutputFormatTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String PLACE = "#/anyOf/0/properties/arguments";

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException failure) {
            throw new IllegalArgumentException(failure);
        }
    }

    private static OutputFormat form(String parameters, String choice) {
        ChatRequest.Tool tool =
                new ChatRequest.Tool("function", new ChatRequest.Function("f", null, json(parameters), null));
        return OutputFormat.of(List.of(tool), json(choice), null, null);
    }

    private static JsonNode arguments(String parameters) {
        return form(parameters, "\"required\"").schema().at("/anyOf/0/properties/arguments");
    }

    /** Names of members are not keywords, wherever a schema names members. */
    @ParameterizedTest
    @ValueSource(strings = {"$id", "$schema", "default", "const", "enum", "examples", "$ref", "properties"})
    void parametersMayBeNamedAsKeywords(String name) {
        String reference = "{\"$ref\": \"#/$defs/x\"}";
        for (String keyword : List.of("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")) {
            JsonNode moved = arguments("{\"type\": \"object\", \"" + keyword + "\": {\"" + name + "\": " + reference
                    + "}, \"required\": [\"" + name + "\"]}");
            assertEquals(
                    PLACE + "/$defs/x",
                    moved.path(keyword).path(name).path("$ref").asText(),
                    moved::toString);
        }
    }

    @Test
    void keywordsStayKeywords() {
        JsonNode moved =
                arguments("{\"$schema\": \"s\", \"$id\": \"i\", \"type\": \"object\", \"properties\": {\"a\": {"
                        + "\"$id\": \"j\", \"default\": {\"$ref\": \"#/x\"}, \"items\": {\"$ref\": \"#/y\"}}}}");
        assertEquals(
                json("{\"type\": \"object\", \"properties\": {\"a\": {\"default\": {\"$ref\": \"#/x\"},"
                        + " \"items\": {\"$ref\": \"" + PLACE + "/y\"}}}}"),
                moved);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\": \"allowed_tools\", \"allowed_tools\": {\"mode\": \"auto\", \"tools\": []}}|list only the allowed functions in tools",
                "{\"type\": \"custom\", \"custom\": {\"name\": \"f\"}}|all tools are functions"
            })
    void otherChoicesAreRefusedByName(String choice, String reason) {
        String message =
                assertThrows(ApiException.class, () -> form("{}", choice)).getMessage();
        assertTrue(message.contains(reason) && message.contains("is not honoured here"), message);
    }
}
