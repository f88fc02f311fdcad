package dev.outpost.simulated.kubernetes.api;

import java.util.Map;

/**
 * The request of a client.
 *
 * @param query the options after the question mark; the first value of a repeated one
 * @param manager the manager that is recorded as having set the fields
 * @param body the body as it came; empty if the request had none
 */
public record ApiRequest(
        Verb verb, ResourcePath path, Map<String, String> query, String contentType, String manager, String body) {

    private static final String APPLY = "application/apply-patch+yaml";

    ApiRequest withBody(String text) {
        return new ApiRequest(verb, path, query, contentType, manager, text);
    }

    boolean isApply() {
        return verb == Verb.PATCH && contentType.startsWith(APPLY);
    }

    boolean is(String option) {
        return "true".equals(query.get(option));
    }

    /** Returns an option, or an empty text. */
    String option(String name) {
        return query.getOrDefault(name, "");
    }

    /** Formats the request for messages of tests. */
    @Override
    public String toString() {
        return verb.text() + " " + path;
    }
}
