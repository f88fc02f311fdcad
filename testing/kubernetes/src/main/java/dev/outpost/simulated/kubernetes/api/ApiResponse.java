package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** An answer: an HTTP status, and JSON. */
record ApiResponse(int code, Map<String, String> headers, String body) {
    static ApiResponse ok(JsonNode body) {
        return of(200, body);
    }

    static ApiResponse created(JsonNode body) {
        return of(201, body);
    }

    static ApiResponse of(int code, JsonNode body) {
        return new ApiResponse(code, Map.of(), body.toString());
    }

    boolean isFailure() {
        return code >= 400;
    }
}
