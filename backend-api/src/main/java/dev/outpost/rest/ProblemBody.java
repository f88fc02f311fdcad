package dev.outpost.rest;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A problem document (RFC 9457).
 *
 * @param code the kind of the problem, by a name that never changes
 * @param detail a sentence with the remedy
 * @param retryable whether the same request may succeed later
 * @param limit the limit that bound, where there is one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProblemBody(
        String type, String title, int status, String code, String detail, boolean retryable, LimitView limit) {
    public static final String MEDIA_TYPE = "application/problem+json";
}
