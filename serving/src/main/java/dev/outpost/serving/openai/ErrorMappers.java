package dev.outpost.serving.openai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.outpost.serving.http.ApiError;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Answers every failure in OpenAI's form. The stack trace is only in the log. */
public class ErrorMappers {
    private static final Logger LOG = Logger.getLogger(ErrorMappers.class);

    @ServerExceptionMapper
    Response json(JsonProcessingException malformed) {
        String where = malformed instanceof JsonMappingException mapping ? path(mapping) : "";
        String message = switch (malformed) {
            case StrictRequests.RefusedFieldException refused ->
                where.isEmpty() || where.endsWith(refused.field())
                        ? refused.field() + ": " + refused.reason()
                        : where + "." + refused.field() + ": " + refused.reason();
            case UnrecognizedPropertyException unknown -> "Unrecognized request argument supplied: " + where;
            case JsonMappingException mapping when !where.isEmpty() -> where + ": is not of the form expected";
            default ->
                "the body is no JSON"
                        + (malformed.getLocation() == null
                                ? ""
                                : ", malformed at line "
                                        + malformed.getLocation().getLineNr());
        };
        String param = malformed instanceof StrictRequests.RefusedFieldException refused ? refused.field() : where;
        return refuse(400, message, param.isEmpty() ? null : param);
    }

    /** Answers a body that does not match the type. The framework's own answer would have no body. */
    @ServerExceptionMapper
    Response mismatched(MismatchedInputException malformed) {
        return json(malformed);
    }

    @ServerExceptionMapper
    Response framework(WebApplicationException refused) {
        int status = refused.getResponse().getStatus();
        if (refused.getCause() instanceof JsonProcessingException malformed) {
            return json(malformed);
        }
        return status >= 500
                ? unexpected(refused)
                : refuse(status, refused.getResponse().getStatusInfo().getReasonPhrase(), null);
    }

    /**
     * Handles a failed connection: bodies are read into memory, so an {@code IOException} has no other cause. The
     * client has disconnected, so the server is not at fault.
     */
    @ServerExceptionMapper
    Response gone(IOException broken) {
        LOG.debug("a client has gone before its request was whole", broken);
        return refuse(400, "the connection has ended before the request was whole", null);
    }

    @ServerExceptionMapper
    Response unexpected(Throwable failed) {
        return ApiError.refusal(failed).map(ApiError.Refusal::response).orElseGet(() -> {
            LOG.error("a request failed", failed);
            return Response.status(500)
                    .type(MediaType.APPLICATION_JSON_TYPE)
                    .entity(new ApiError.Body(ApiError.internal()))
                    .build();
        });
    }

    private static Response refuse(int status, String message, String param) {
        return Response.status(status)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(new ApiError.Body(new ApiError(message, "invalid_request_error", param, null)))
                .build();
    }

    private static String path(JsonMappingException mapping) {
        return mapping.getPath().stream()
                .map(part -> part.getFieldName() == null ? "[" + part.getIndex() + "]" : part.getFieldName())
                .collect(Collectors.joining("."))
                .replace(".[", "[");
    }
}
