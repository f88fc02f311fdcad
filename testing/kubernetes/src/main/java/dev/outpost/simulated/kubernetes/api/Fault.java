package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * The fault for requests of clients, and the requests that it meets. By default it meets the next request.
 *
 * @param times the number of requests that it meets
 */
public record Fault(Effect effect, Predicate<ApiRequest> which, int times) {

    /** The effect on a request. */
    public sealed interface Effect {
        /** The request is refused. */
        record Refuse(ApiStatusException answer) implements Effect {}

        /** The server answers with this body and 200. */
        record Answer(JsonNode body) implements Effect {}

        /** The answer is late. */
        record Delay(Duration by) implements Effect {}

        /** The answer waits for this future. */
        record Hold(CompletionStage<?> until) implements Effect {}

        /** The connection is closed, and the request has no effect. */
        record HangUp() implements Effect {}

        /** The request has its effect, and the connection is closed without an answer. */
        record LoseAnswer() implements Effect {}
    }

    private static Fault of(Effect effect) {
        return new Fault(effect, request -> true, 1);
    }

    // ---- effects

    /** Answers 429: try again later. The server gives times in whole seconds. */
    public static Fault tooManyRequests(Duration retryAfter) {
        return of(new Effect.Refuse(ApiStatusException.tooManyRequests(retryAfter)));
    }

    /** Answers 500. */
    public static Fault internalError() {
        return of(new Effect.Refuse(ApiStatusException.internal("etcdserver: request timed out")));
    }

    /** Answers 409, as if another client had changed the object first. */
    public static Fault conflict() {
        return of(
                new Effect.Refuse(ApiStatusException.conflict(new ResourcePath("batch", "v1", "", "jobs", "it", ""))));
    }

    /** Answers 410: the requested history is not kept any more. */
    public static Fault expired() {
        return of(new Effect.Refuse(ApiStatusException.expired(1, 2)));
    }

    /** Answers 200 with an empty object, like a misconfigured proxy. */
    public static Fault emptyAnswer() {
        return of(new Effect.Answer(JsonNodeFactory.instance.objectNode()));
    }

    /** Answers 401: the credentials are no longer valid. */
    public static Fault unauthorized() {
        return of(new Effect.Refuse(ApiStatusException.unauthorized()));
    }

    /** Answers 403, like webhooks, quotas and policies: the message follows {@code is forbidden: }. */
    public static Fault forbidden(String resource, String why) {
        ResourcePath path = new ResourcePath("", "v1", "", resource, "it", "");
        return of(new Effect.Refuse(ApiStatusException.forbidden(path, why)));
    }

    public static Fault slow(Duration by) {
        return of(new Effect.Delay(by));
    }

    /** Delays the answer until the future has completed. */
    public static Fault heldUntil(CompletionStage<?> end) {
        return of(new Effect.Hold(end));
    }

    /** Breaks the connection before the request has an effect. */
    public static Fault hangUp() {
        return of(new Effect.HangUp());
    }

    /** Breaks the connection after the request has its effect, so that the client does not know the outcome. */
    public static Fault loseAnswer() {
        return of(new Effect.LoseAnswer());
    }

    // ---- requests

    /** @param resource the resource as roles spell it: {@code jobs}, {@code pods/log} */
    public Fault on(Verb verb, String resource) {
        return on(request ->
                request.verb() == verb && request.path().withSubresource().equals(resource));
    }

    public Fault on(Predicate<ApiRequest> condition) {
        return new Fault(effect, which.and(condition), times);
    }

    public Fault times(int requests) {
        return new Fault(effect, which, requests);
    }

    /** Meets all requests until the fault is ended. */
    public Fault always() {
        return times(Integer.MAX_VALUE);
    }
}
