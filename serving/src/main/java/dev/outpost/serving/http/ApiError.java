package dev.outpost.serving.http;

import dev.outpost.inference.DeadlineException;
import dev.outpost.inference.EngineStoppedException;
import dev.outpost.inference.QueueFullException;
import dev.outpost.models.constraint.CompilationCancelledException;
import dev.outpost.serving.engine.TooManySchemasException;
import dev.outpost.serving.engine.UnavailableException;
import dev.outpost.serving.engine.UnknownModelException;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Optional;

/**
 * The error in the answer to a refused request.
 *
 * @param type such as {@code invalid_request_error}
 * @param param the part of the request that is wrong, or null
 * @param code such as {@code model_not_found}, or null
 */
public record ApiError(String message, String type, String param, String code) {
    private static final int TOO_MANY = 429;
    private static final int MILLIS = 1_000;
    private static final Duration SOON = Duration.ofSeconds(5);

    /** The body of the answer to a refused request. */
    public record Body(ApiError error) {}

    /** The answer to a refused request. A retry may succeed after {@code retryAfter}. */
    public record Refusal(int status, ApiError error, Optional<Duration> retryAfter) {
        public Response response() {
            Response.ResponseBuilder built = Response.status(status)
                    .type(MediaType.APPLICATION_JSON_TYPE)
                    .entity(new Body(error));
            retryAfter.ifPresent(after -> built.header("Retry-After", Math.ceilDiv(after.toMillis(), MILLIS)));
            return built.build();
        }
    }

    /** Returns the refusal for a failure; empty if the failure is a defect of the server. */
    public static Optional<Refusal> refusal(Throwable failure) {
        return Optional.ofNullable(
                switch (failure) {
                    case ApiException known -> new Refusal(known.status(), known.error(), Optional.empty());
                    case UnknownModelException unknown ->
                        refusal(404, unknown, "invalid_request_error", "model", "model_not_found");
                    case IllegalArgumentException bad -> refusal(400, bad, "invalid_request_error", null, null);
                    case QueueFullException full -> tooMany(full, full.retryAfter());
                    case TooManySchemasException many -> tooMany(many, many.retryAfter());
                    case CompilationCancelledException gone -> refusal(400, gone, "invalid_request_error", null, null);
                    case DeadlineException late -> refusal(504, late, "server_error", null, "deadline_exceeded");
                    case UnavailableException away -> unavailable(away, away.retryAfter());
                    case EngineStoppedException stopped -> unavailable(stopped, SOON);
                    case OutpostException refused
                    when refused.kind() == FaultKind.USER -> refusal(400, refused, "invalid_request_error", null, null);
                    case OutpostException away when away.kind() == FaultKind.EXTERNAL -> unavailable(away, SOON);
                    default -> null;
                });
    }

    private static Refusal refusal(int status, Throwable failure, String type, String param, String code) {
        return new Refusal(status, new ApiError(failure.getMessage(), type, param, code), Optional.empty());
    }

    private static Refusal tooMany(Throwable failure, Duration retryAfter) {
        ApiError error = new ApiError(failure.getMessage(), "rate_limit_error", null, "rate_limit_exceeded");
        return new Refusal(TOO_MANY, error, Optional.of(retryAfter));
    }

    private static Refusal unavailable(Throwable failure, Duration retryAfter) {
        ApiError error = new ApiError(failure.getMessage(), "server_error", null, "unavailable");
        return new Refusal(503, error, Optional.of(retryAfter));
    }

    public static ApiError internal() {
        return new ApiError("the server failed unexpectedly; its log shows where", "server_error", null, null);
    }
}
