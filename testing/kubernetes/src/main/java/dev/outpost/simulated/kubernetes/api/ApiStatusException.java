package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A refusal, in the words of the real API server. */
public final class ApiStatusException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int code;
    private final transient ObjectNode details = JsonObjects.object();
    private final String reason;

    private ApiStatusException(int code, String reason, String message) {
        super(message);
        this.code = code;
        this.reason = reason;
    }

    private ApiStatusException about(ResourcePath path) {
        if (!path.name().isEmpty()) {
            details.put("name", path.name());
        }
        details.put("group", path.group()).put("kind", path.resource());
        return this;
    }

    // ---- 4xx

    static ApiStatusException badRequest(String message) {
        return new ApiStatusException(400, "BadRequest", message);
    }

    public static ApiStatusException unauthorized() {
        return new ApiStatusException(401, "Unauthorized", "Unauthorized");
    }

    /** The object or the collection is forbidden; the message has the reason. */
    public static ApiStatusException forbidden(ResourcePath path, String why) {
        String named = path.name().isEmpty() ? path.qualified() : path.qualified() + " \"" + path.name() + "\"";
        return new ApiStatusException(403, "Forbidden", named + " is forbidden: " + why).about(path);
    }

    static ApiStatusException notFound(ResourcePath path) {
        return new ApiStatusException(404, "NotFound", path.qualified() + " \"" + path.name() + "\" not found")
                .about(path);
    }

    static ApiStatusException noSuchResource() {
        return new ApiStatusException(404, "NotFound", "the server could not find the requested resource");
    }

    static ApiStatusException alreadyExists(ResourcePath path) {
        return new ApiStatusException(
                        409, "AlreadyExists", path.qualified() + " \"" + path.name() + "\" already exists")
                .about(path);
    }

    /** Another client has changed the object first. */
    public static ApiStatusException conflict(ResourcePath path) {
        return conflict(
                path, "the object has been modified; please apply your changes to the latest version and try again");
    }

    static ApiStatusException conflict(ResourcePath path, String why) {
        return new ApiStatusException(
                        409,
                        "Conflict",
                        "Operation cannot be fulfilled on " + path.qualified() + " \"" + path.name() + "\": " + why)
                .about(path);
    }

    /** Other managers own fields that an apply sets. */
    static ApiStatusException applyConflict(String message, List<ApplyConflict> conflicts) {
        ApiStatusException exception = new ApiStatusException(409, "Conflict", message);
        ArrayNode causes = exception.details.putArray("causes");
        conflicts.forEach(conflict -> causes.addObject()
                .put("reason", "FieldManagerConflict")
                .put("message", conflict.withWhom())
                .put("field", conflict.field()));
        return exception;
    }

    /** The requested history is not kept any more. */
    public static ApiStatusException expired(long wanted, long oldest) {
        return new ApiStatusException(410, "Expired", "too old resource version: " + wanted + " (" + oldest + ")");
    }

    static ApiStatusException unsupportedMediaType(String message) {
        return new ApiStatusException(415, "UnsupportedMediaType", message);
    }

    static ApiStatusException invalid(String kind, ResourcePath path, String why) {
        String qualified = path.group().isEmpty() ? kind : kind + "." + path.group();
        return new ApiStatusException(422, "Invalid", qualified + " \"" + path.name() + "\" is invalid: " + why)
                .about(path);
    }

    /** Too many concurrent requests: try again later. */
    public static ApiStatusException tooManyRequests(Duration retryAfter) {
        ApiStatusException exception = new ApiStatusException(
                429,
                "TooManyRequests",
                "the server has received too many requests and has asked us to try again later");
        exception.details.put("retryAfterSeconds", retryAfter.toSeconds());
        return exception;
    }

    // ---- 5xx

    /** A failure inside the API server. */
    public static ApiStatusException internal(String why) {
        return new ApiStatusException(500, "InternalError", "Internal error occurred: " + why);
    }

    public int code() {
        return code;
    }

    ObjectNode status() {
        ObjectNode status = JsonObjects.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure").put("message", getMessage()).put("reason", reason);
        if (!details.isEmpty()) {
            status.set("details", details);
        }
        return status.put("code", code);
    }

    ApiResponse answer() {
        Map<String, String> headers = details.has("retryAfterSeconds")
                ? Map.of("Retry-After", details.get("retryAfterSeconds").asText())
                : Map.of();
        return new ApiResponse(code, headers, status().toString());
    }
}
