package dev.outpost.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A problem document (RFC 9457). Only {@code code} is required, because proxies may send documents of their own.
 *
 * @param type the URI of the kind of problem
 * @param title a short name of the kind of problem
 * @param status the HTTP status of the answer
 * @param code the stable name of the kind of problem, such as {@code not-found}
 * @param detail a sentence with the remedy
 * @param retryable true if the same request may succeed later
 * @param limit the exceeded limit
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProblemBody(
        @Nullable String type,
        @Nullable String title,
        @Nullable Integer status,
        String code,
        @Nullable String detail,
        @Nullable Boolean retryable,
        @Nullable LimitView limit) {
    public static final String MEDIA_TYPE = "application/problem+json";
}
