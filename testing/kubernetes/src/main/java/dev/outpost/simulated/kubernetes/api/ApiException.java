package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A refusal, in the words of the real API server. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int code;
    private final transient ObjectNode details = Json.object();
    private final String reason;

    private ApiException(int code, String reason, String message) {
        super(message);
        this.code = code;
        this.reason = reason;
    }

    private ApiException about(ResourcePath path) {
        if (!path.name().isEmpty()) {
            details.put("name", path.name());
        }
        details.put("group", path.group()).put("kind", path.resource());
        return this;
    }

    // ---- 4xx

    static ApiException badRequest(String message) {
        return new ApiException(400, "BadRequest", message);
    }

    public static ApiException unauthorized() {
        return new ApiException(401, "Unauthorized", "Unauthorized");
    }

    /** The object, or the collection, is forbidden because of what the message says. */
    public static ApiException forbidden(ResourcePath path, String why) {
        String named = path.name().isEmpty() ? path.qualified() : path.qualified() + " \"" + path.name() + "\"";
        return new ApiException(403, "Forbidden", named + " is forbidden: " + why).about(path);
    }

    static ApiException notFound(ResourcePath path) {
        return new ApiException(404, "NotFound", path.qualified() + " \"" + path.name() + "\" not found").about(path);
    }

    static ApiException noSuchResource() {
        return new ApiException(404, "NotFound", "the server could not find the requested resource");
    }

    static ApiException alreadyExists(ResourcePath path) {
        return new ApiException(409, "AlreadyExists", path.qualified() + " \"" + path.name() + "\" already exists")
                .about(path);
    }

    /** Somebody else was quicker. */
    public static ApiException conflict(ResourcePath path) {
        return conflict(
                path, "the object has been modified; please apply your changes to the latest version and try again");
    }

    static ApiException conflict(ResourcePath path, String why) {
        return new ApiException(
                        409,
                        "Conflict",
                        "Operation cannot be fulfilled on " + path.qualified() + " \"" + path.name() + "\": " + why)
                .about(path);
    }

    /** Fields that an apply sets are others'. */
    static ApiException applyConflict(String message, List<ApplyConflict> conflicts) {
        ApiException exception = new ApiException(409, "Conflict", message);
        ArrayNode causes = exception.details.putArray("causes");
        conflicts.forEach(conflict -> causes.addObject()
                .put("reason", "FieldManagerConflict")
                .put("message", conflict.withWhom())
                .put("field", conflict.field()));
        return exception;
    }

    /** The requested history is not kept any more. */
    public static ApiException expired(long wanted, long oldest) {
        return new ApiException(410, "Expired", "too old resource version: " + wanted + " (" + oldest + ")");
    }

    static ApiException unsupportedMediaType(String message) {
        return new ApiException(415, "UnsupportedMediaType", message);
    }

    static ApiException invalid(String kind, ResourcePath path, String why) {
        String qualified = path.group().isEmpty() ? kind : kind + "." + path.group();
        return new ApiException(422, "Invalid", qualified + " \"" + path.name() + "\" is invalid: " + why).about(path);
    }

    /** Too many at once: come back later. */
    public static ApiException tooManyRequests(Duration retryAfter) {
        ApiException exception = new ApiException(
                429,
                "TooManyRequests",
                "the server has received too many requests and has asked us to try again later");
        exception.details.put("retryAfterSeconds", retryAfter.toSeconds());
        return exception;
    }

    // ---- 5xx

    /** A failure inside the API server. */
    public static ApiException internal(String why) {
        return new ApiException(500, "InternalError", "Internal error occurred: " + why);
    }

    public int code() {
        return code;
    }

    ObjectNode status() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure").put("message", getMessage()).put("reason", reason);
        if (!details.isEmpty()) {
            status.set("details", details);
        }
        return status.put("code", code);
    }

    ApiAnswer answer() {
        Map<String, String> headers = details.has("retryAfterSeconds")
                ? Map.of("Retry-After", details.get("retryAfterSeconds").asText())
                : Map.of();
        return new ApiAnswer(code, headers, status().toString());
    }
}
