package dev.outpost.serving.http;

import dev.outpost.serving.gateway.CallerKeys;
import dev.outpost.serving.gateway.GatewayRequest;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Accepts requests with a known key, or all requests if there are no keys. Records the owner of a request. */
@Singleton
public class ServingKeyFilter {
    private static final String KEY = "outpost.key";
    private static final String BEARER = "Bearer ";

    private final ApiKeys keys;
    private final CurrentVertxRequest current;
    private final CallerKeys callers;
    private final GatewayRequest gatewayRequest;

    ServingKeyFilter(ApiKeys keys, CurrentVertxRequest current, CallerKeys callers, GatewayRequest gatewayRequest) {
        this.keys = keys;
        this.callers = callers;
        this.gatewayRequest = gatewayRequest;
        this.current = current;
    }

    @ServerRequestFilter
    public Response check(ContainerRequestContext request) {
        if (callers.isAsked()) {
            return checkCaller(request);
        }
        if (keys.isEmpty()) {
            return null;
        }
        Optional<String> said = Optional.ofNullable(request.getHeaderString(HttpHeaders.AUTHORIZATION));
        Optional<String> name = said.filter(header -> header.startsWith(BEARER))
                .flatMap(header -> keys.nameOf(header.substring(BEARER.length()).strip()));
        if (name.isEmpty()) {
            return refusal(said.isPresent());
        }
        current.getCurrent().put(KEY, name.get());
        return null;
    }

    /** Checks a caller of a gateway, who has a key of the gateway's backend. */
    private Response checkCaller(ContainerRequestContext request) {
        Optional<String> said = Optional.ofNullable(request.getHeaderString(HttpHeaders.AUTHORIZATION));
        String address = RequestGuard.address(current.getCurrent());
        Optional<CallerKeys.CallerKey> key;
        try {
            key = said.filter(header -> header.startsWith(BEARER))
                    .flatMap(header ->
                            callers.find(header.substring(BEARER.length()).strip(), address));
        } catch (CallerKeys.TooManyUnknownException tooMany) {
            return later(tooMany);
        }
        if (key.isEmpty()) {
            return refusal(said.isPresent());
        }
        if (key.get().tokensLeft().orElse(1) <= 0) {
            return exhausted(key.get().billed());
        }
        gatewayRequest.callBy(key.get().project().orElse(null));
        current.getCurrent().put(KEY, key.get().id());
        return null;
    }

    /**
     * Refuses a request of a project that has used its tokens of this month. The answer has no Retry-After, because
     * no retry in this month would help.
     */
    private static Response exhausted(String project) {
        String message = "the project " + project
                + " has used its tokens of this month: quota tokens-per-month; an administrator may raise it";
        ApiError error = new ApiError(message, "insufficient_quota", null, "insufficient_quota");
        return new ApiError.Refusal(429, error, Optional.empty()).response();
    }

    private static Response later(CallerKeys.TooManyUnknownException tooMany) {
        ApiError error = new ApiError(tooMany.getMessage(), "rate_limit_error", null, "rate_limit_exceeded");
        return new ApiError.Refusal(429, error, Optional.of(tooMany.delay())).response();
    }

    private static Response refusal(boolean isSaid) {
        String message = isSaid
                ? "Incorrect API key provided"
                : "You didn't provide an API key; send it as \"Authorization: Bearer KEY\"";
        ApiError error = new ApiError(message, "invalid_request_error", null, "invalid_api_key");
        return new ApiError.Refusal(401, error, Optional.empty()).response();
    }

    /** Returns the name of a request's key; empty if there are no keys. */
    public static String keyOf(RoutingContext routing) {
        String name = routing.get(KEY);
        return name == null ? "" : name;
    }
}
