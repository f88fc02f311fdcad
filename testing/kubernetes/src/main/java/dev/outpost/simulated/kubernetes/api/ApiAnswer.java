package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** The answer: a status of HTTP, and JSON. */
record ApiAnswer(int code, Map<String, String> headers, String body) {
    static ApiAnswer ok(JsonNode body) {
        return of(200, body);
    }

    static ApiAnswer created(JsonNode body) {
        return of(201, body);
    }

    static ApiAnswer of(int code, JsonNode body) {
        return new ApiAnswer(code, Map.of(), body.toString());
    }

    boolean isFailure() {
        return code >= 400;
    }
}
