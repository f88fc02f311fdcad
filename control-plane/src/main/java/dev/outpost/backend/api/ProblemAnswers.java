package dev.outpost.backend.api;

import dev.outpost.rest.ProblemBody;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** Converts problems to HTTP answers. */
final class ProblemAnswers {
    private static final long MILLIS_PER_SECOND = 1000;

    private ProblemAnswers() {}

    static ProblemBody body(Problem problem) {
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
        Response.ResponseBuilder response = Response.status(problem.code().status())
                .type(ProblemBody.MEDIA_TYPE)
                .entity(body(problem));
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
