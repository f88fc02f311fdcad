package dev.outpost.backend.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.outpost.backend.store.sql.SqlException;
import dev.outpost.provider.fleet.FleetException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Answers every failure with a problem document. The stack trace is only in the log. */
public class ProblemMappers {
    private static final Logger LOG = Logger.getLogger(ProblemMappers.class);

    @ServerExceptionMapper
    Response problem(Problem problem) {
        return ProblemAnswers.response(problem);
    }

    @ServerExceptionMapper
    Response json(JsonProcessingException malformed) {
        return ProblemAnswers.response(
                malformed instanceof BoundedJson.OutOfBounds beyond
                        ? Problem.invalid(path(beyond) + ": " + beyond.getOriginalMessage())
                        : Problem.of(Problem.Code.BAD_REQUEST, "body: " + sentence(malformed)));
    }

    /** Answers a body that does not match the type. The framework's own answer would have no body. */
    @ServerExceptionMapper
    Response mismatched(MismatchedInputException malformed) {
        return json(malformed);
    }

    @ServerExceptionMapper
    Response illegal(IllegalArgumentException refused) {
        return ProblemAnswers.response(Problem.invalid(refused.getMessage()));
    }

    @ServerExceptionMapper
    Response database(SqlException failed) {
        if (failed.isUnavailable()) {
            LOG.warnf("a request failed: %s", failed.getMessage());
            return ProblemAnswers.response(Problem.of(Problem.Code.UNAVAILABLE, failed.remedy()));
        }
        return failed.isValue()
                ? ProblemAnswers.response(Problem.invalid(
                        "a value is refused: texts hold no NUL, and numbers have a bound; mend the request"))
                : internal(failed);
    }

    @ServerExceptionMapper
    Response fleet(FleetException failed) {
        return ProblemAnswers.response(
                failed.kind() == FleetException.Kind.NOT_FOUND
                        ? Problem.of(Problem.Code.NOT_FOUND, failed.getMessage())
                        : Problem.of(Problem.Code.UNAVAILABLE, failed.getMessage()));
    }

    @ServerExceptionMapper
    Response framework(WebApplicationException refused) {
        int status = refused.getResponse().getStatus();
        if (refused.getCause() instanceof Problem problem) {
            return problem(problem);
        }
        if (refused.getCause() instanceof JsonProcessingException malformed) {
            return json(malformed);
        }
        if (status >= 500) {
            return internal(refused);
        }
        Problem.Code code = Problem.Code.of(status);
        return ProblemAnswers.response(Problem.of(code, code.title().toLowerCase(java.util.Locale.ROOT)));
    }

    @ServerExceptionMapper
    Response unexpected(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException broken && isDiskFull(broken)) {
                LOG.warnf("a request failed: %s", broken.getMessage());
                return ProblemAnswers.response(
                        Problem.of(
                                Problem.Code.UNAVAILABLE,
                                "a disk of the backend is full; the same request may be sent again when an operator has made room"));
            }
        }
        return internal(failed);
    }

    /** Recognizes the error by the operating system's texts, since Java has no type for it. */
    private static boolean isDiskFull(IOException failed) {
        String text = String.valueOf(failed.getMessage());
        return text.contains("No space left on device") || text.contains("Disk quota exceeded");
    }

    private static Response internal(Throwable failed) {
        LOG.error("a request failed", failed);
        return ProblemAnswers.response(Problem.of(
                Problem.Code.INTERNAL, "the backend failed in a way that it does not expect; its log says where"));
    }

    /** Returns a sentence without the parser's own message, which names classes and repeats the body. */
    private static String sentence(JsonProcessingException malformed) {
        if (isTooLarge(malformed)) {
            return "it has too many or too long values, or too many levels; the API's description lists the bounds";
        }
        String where = malformed instanceof JsonMappingException mapping ? path(mapping) : "";
        return where.isEmpty() ? "expected JSON, malformed at line " + line(malformed) : where + " " + what(malformed);
    }

    /** Describes the error of a value, with the allowed values. */
    private static String what(JsonProcessingException malformed) {
        return switch (malformed) {
            case UnrecognizedPropertyException unknown ->
                "is unknown; expected one of " + texts(unknown.getKnownPropertyIds());
            case MismatchedInputException mismatch
            when mismatch.getTargetType() != null ->
                "is not of the form expected; expected " + expected(mismatch.getTargetType());
            default -> "is not of the form expected";
        };
    }

    private static String texts(Collection<Object> names) {
        return names.stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
    }

    private static String expected(Class<?> type) {
        if (type.isEnum()) {
            return "one of " + EnumParameters.names(type);
        }
        if (Number.class.isAssignableFrom(type) || type.isPrimitive() && type != boolean.class) {
            return "a number";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        if (type == String.class) {
            return "a text";
        }
        if (type == Instant.class) {
            return "a time such as 2026-03-01T12:00:00Z";
        }
        if (type == Duration.class) {
            return "a duration such as 30s, 15m or 24h";
        }
        if (type.isArray() || Collection.class.isAssignableFrom(type)) {
            return "a list";
        }
        return type.isRecord() || Map.class.isAssignableFrom(type) ? "an object" : "another value";
    }

    private static boolean isTooLarge(Throwable malformed) {
        return malformed instanceof StreamConstraintsException
                || malformed.getCause() != null && isTooLarge(malformed.getCause());
    }

    private static int line(JsonProcessingException malformed) {
        return Optional.ofNullable(malformed.getLocation())
                .map(location -> location.getLineNr())
                .orElse(1);
    }

    private static String path(JsonMappingException mapping) {
        return mapping.getPath().stream()
                .map(part -> part.getFieldName() == null ? "[" + part.getIndex() + "]" : part.getFieldName())
                .collect(Collectors.joining("."));
    }
}
