package dev.outpost.backend.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** A problem document. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProblemBody(
        String type, String title, int status, String code, String detail, boolean retryable, Problem.LimitView limit) {
    static final String MEDIA_TYPE = "application/problem+json";
    private static final long MILLIS_PER_SECOND = 1000;

    static ProblemBody of(Problem problem) {
        Problem.Code code = problem.code();
        return new ProblemBody(
                "urn:outpost:problem:" + code.text(),
                code.title(),
                code.status(),
                code.text(),
                problem.getMessage(),
                code.isRetryable(),
                problem.limit().orElse(null));
    }

    static Response response(Problem problem) {
        Response.ResponseBuilder response =
                Response.status(problem.code().status()).type(MEDIA_TYPE).entity(of(problem));
        problem.retryAfter()
                .or(() -> problem.code() == Problem.Code.UNAVAILABLE
                        ? Optional.of(java.time.Duration.ofSeconds(1))
                        : Optional.empty())
                .ifPresent(after -> response.header(
                        "Retry-After", Math.max(1, (after.toMillis() + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND)));
        if (problem.code() == Problem.Code.UNAUTHENTICATED) {
            response.header("WWW-Authenticate", "Bearer");
        }
        return response.build();
    }
}
