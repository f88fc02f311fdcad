package dev.outpost.serving.openai;

import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Lets in what bears a known key, or everybody where there are no keys; says whose a request is. */
@Singleton
public class KeyFilter {
    private static final String KEY = "outpost.key";
    private static final String BEARER = "Bearer ";

    private final ApiKeys keys;
    private final CurrentVertxRequest current;

    KeyFilter(ApiKeys keys, CurrentVertxRequest current) {
        this.keys = keys;
        this.current = current;
    }

    @ServerRequestFilter
    public Response check(ContainerRequestContext request) {
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

    private static Response refusal(boolean isSaid) {
        String message = isSaid
                ? "Incorrect API key provided"
                : "You didn't provide an API key; it is wanted as \"Authorization: Bearer KEY\"";
        ApiError error = new ApiError(message, "invalid_request_error", null, "invalid_api_key");
        return new ApiError.Refusal(401, error, Optional.empty()).response();
    }

    /** The name of the key that a request came with; empty where there are no keys. */
    static String keyOf(RoutingContext routing) {
        String name = routing.get(KEY);
        return name == null ? "" : name;
    }
}
