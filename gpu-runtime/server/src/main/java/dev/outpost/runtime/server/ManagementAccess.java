package dev.outpost.runtime.server;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Requires the token for all information about the machine, if other hosts can reach the management port. Health probes have
 * no token, and the description of the interface is public, so both are exempt.
 */
@Singleton
final class ManagementAccess {
    private static final int BEFORE_ALL_ELSE = 1000;
    private static final int UNAUTHORIZED = 401;
    private static final List<String> OPEN = List.of("/q/health", "/q/openapi");
    private static final List<String> METRICS = List.of("/q/metrics", "/info");

    private final RuntimeConfig config;
    /** This is a provider, because a key may appear after the filters are created. */
    private final Provider<TokenAccess> access;

    private final AuthFailureCounter authFailures;

    ManagementAccess(RuntimeConfig config, Provider<TokenAccess> access, AuthFailureCounter authFailures) {
        this.config = config;
        this.access = access;
        this.authFailures = authFailures;
    }

    void guard(@Observes Filters filters) throws UnknownHostException {
        String host = config.managementHost().orElse(config.host());
        if (!InetAddress.getByName(host).isLoopbackAddress()) {
            filters.register(this::admit, BEFORE_ALL_ELSE);
        }
    }

    private void admit(RoutingContext request) {
        String path = request.normalizedPath();
        String text = request.request().getHeader(HttpHeaders.AUTHORIZATION);
        if (isAmong(OPEN, path)
                || access.get().find(text).isPresent()
                || isAmong(METRICS, path) && isForMetrics(text)) {
            request.next();
            return;
        }
        authFailures.count();
        request.response()
                .setStatusCode(UNAUTHORIZED)
                .putHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
                .end();
    }

    /**
     * True if a header has the metrics secret. Reads the file each time, because the operator may create or change it later.
     */
    private boolean isForMetrics(String text) {
        if (text == null || config.metricsTokenFile().isEmpty()) {
            return false;
        }
        try {
            return OwnerToken.read(config.metricsTokenFile().get()).matches(text);
        } catch (IOException | IllegalArgumentException ignored) {
            return false;
        }
    }

    private static boolean isAmong(List<String> paths, String path) {
        return paths.stream().anyMatch(known -> path.equals(known) || path.startsWith(known + "/"));
    }
}
