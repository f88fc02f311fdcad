package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * The fault for requests of clients, and the requests that it meets. By default the next one, whatever it is.
 *
 * @param times the number of requests that it meets
 */
public record Fault(Effect effect, Predicate<ApiRequest> which, int times) {

    /** The effect on a request. */
    public sealed interface Effect {
        /** It is refused. */
        record Refuse(ApiStatusException answer) implements Effect {}

        /** The server answers with this body and 200. */
        record Answer(JsonNode body) implements Effect {}

        /** It is answered late. */
        record Delay(Duration by) implements Effect {}

        /** It is answered when that has completed. */
        record Hold(CompletionStage<?> until) implements Effect {}

        /** The connection is closed, and nothing is done. */
        record HangUp() implements Effect {}

        /** It is done, and the connection is closed without a word of it. */
        record LoseAnswer() implements Effect {}
    }

    private static Fault of(Effect effect) {
        return new Fault(effect, request -> true, 1);
    }

    // ---- what

    /** 429: come back later. The server tells times in whole seconds. */
    public static Fault tooManyRequests(Duration retryAfter) {
        return of(new Effect.Refuse(ApiStatusException.tooManyRequests(retryAfter)));
    }

    /** 500. */
    public static Fault internalError() {
        return of(new Effect.Refuse(ApiStatusException.internal("etcdserver: request timed out")));
    }

    /** 409, as if somebody else had been quicker. */
    public static Fault conflict() {
        return of(
                new Effect.Refuse(ApiStatusException.conflict(new ResourcePath("batch", "v1", "", "jobs", "it", ""))));
    }

    /** 410: the history that was asked for is not kept any more. */
    public static Fault expired() {
        return of(new Effect.Refuse(ApiStatusException.expired(1, 2)));
    }

    /** 200 with an empty object, as a proxy answers that is misconfigured. */
    public static Fault emptyAnswer() {
        return of(new Effect.Answer(JsonNodeFactory.instance.objectNode()));
    }

    /** 401: the credentials are not good any more. */
    public static Fault unauthorized() {
        return of(new Effect.Refuse(ApiStatusException.unauthorized()));
    }

    /** 403, as webhooks, quotas and policies refuse: the message goes behind {@code is forbidden: }. */
    public static Fault forbidden(String resource, String why) {
        ResourcePath path = new ResourcePath("", "v1", "", resource, "it", "");
        return of(new Effect.Refuse(ApiStatusException.forbidden(path, why)));
    }

    public static Fault slow(Duration by) {
        return of(new Effect.Delay(by));
    }

    /** The answer waits until that has completed. */
    public static Fault heldUntil(CompletionStage<?> end) {
        return of(new Effect.Hold(end));
    }

    /** The connection breaks before anything is done. */
    public static Fault hangUp() {
        return of(new Effect.HangUp());
    }

    /** The connection breaks when all is done: the client cannot know. */
    public static Fault loseAnswer() {
        return of(new Effect.LoseAnswer());
    }

    // ---- with which

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

    /** Until it is taken back. */
    public Fault always() {
        return times(Integer.MAX_VALUE);
    }
}
