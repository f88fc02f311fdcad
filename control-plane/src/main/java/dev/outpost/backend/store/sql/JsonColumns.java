package dev.outpost.backend.store.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** Settings in a column of JSON. */
public final class JsonColumns {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

    private JsonColumns() {}

    static String write(Map<?, ?> texts) {
        try {
            return MAPPER.writeValueAsString(texts);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public static Map<String, String> readTexts(String json) {
        try {
            return MAPPER.readValue(json, TEXTS);
        } catch (JsonProcessingException failure) {
            throw new IllegalStateException("the database holds malformed JSON: " + failure.getOriginalMessage());
        }
    }
}
