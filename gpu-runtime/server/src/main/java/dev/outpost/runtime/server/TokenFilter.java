package dev.outpost.runtime.server;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;

/** Requires the token over REST, like {@link TokenGuard} over gRPC. */
@Provider
@TokenRequired
final class TokenFilter implements ContainerRequestFilter {
    /** This is a provider, because filters are created before the configuration is read. */
    private final jakarta.inject.Provider<TokenAccess> access;

    private final AuthFailureCounter authFailures;

    TokenFilter(jakarta.inject.Provider<TokenAccess> access, AuthFailureCounter authFailures) {
        this.access = access;
        this.authFailures = authFailures;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        if (access.get()
                .find(request.getHeaderString(HttpHeaders.AUTHORIZATION))
                .isEmpty()) {
            authFailures.count();
            request.abortWith(Response.status(Response.Status.UNAUTHORIZED)
                    .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
                    .build());
        }
    }
}
