package dev.outpost.backend.api;

import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.KeyRows;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Lets in what bears a valid key that allows the call, and nothing else. */
public class KeyFilter {
    private static final String BEARER = "Bearer ";

    private final Database database;
    private final Caller caller;
    private final RateLimits rates;

    KeyFilter(Database database, Caller caller, RateLimits rates) {
        this.database = database;
        this.caller = caller;
        this.rates = rates;
    }

    @ServerRequestFilter
    public void check(ContainerRequestContext request, ResourceInfo resource) {
        KeyRows.Stored key = authenticate(request.getHeaderString(HttpHeaders.AUTHORIZATION));
        rates.take(key.id());
        Needs needs = needs(resource).orElseThrow(() -> Problem.of(Problem.Code.FORBIDDEN, "no key allows this call"));
        if (!key.scopes().contains(needs.value())) {
            throw Problem.of(
                    Problem.Code.FORBIDDEN,
                    "the key has not the scope " + needs.value() + "; ask an administrator for one that has");
        }
        caller.set(key);
    }

    private KeyRows.Stored authenticate(String header) {
        return Optional.ofNullable(header)
                .filter(said -> said.startsWith(BEARER))
                .flatMap(said -> ApiKey.parse(said.substring(BEARER.length()).strip()))
                .flatMap(this::find)
                .orElseThrow(() -> Problem.of(
                        Problem.Code.UNAUTHENTICATED,
                        "a valid key is wanted as \"Authorization: Bearer op_...\"; this one is missing, unknown, expired"
                                + " or revoked"));
    }

    private Optional<KeyRows.Stored> find(ApiKey said) {
        return database.transact(sql -> KeyRows.find(sql, said.id()))
                .filter(found -> said.matches(found.key().hash()))
                .filter(found -> found.key().isValid(found.now()))
                .map(KeyRows.Found::key);
    }

    private static Optional<Needs> needs(ResourceInfo resource) {
        return Optional.ofNullable(resource.getResourceMethod().getAnnotation(Needs.class))
                .or(() -> Optional.ofNullable(resource.getResourceClass().getAnnotation(Needs.class)));
    }
}
