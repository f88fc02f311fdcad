package dev.outpost.serving;

import dev.outpost.serving.config.ServingConfig;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;

/** Requires a token for the metrics, if one is set, because they contain the names of all deployments. */
@Singleton
final class MetricsAccess {
    private static final int BEFORE_ALL_ELSE = 1000;
    private static final int UNAUTHORIZED = 401;
    private static final String METRICS = "/metrics";
    private static final String BEARER = "Bearer ";

    private final Optional<Path> tokenFile;

    MetricsAccess(ServingConfig config) {
        tokenFile = config.metricsTokenFile();
    }

    void guard(@Observes Filters filters) {
        if (tokenFile.isPresent()) {
            filters.register(this::admit, BEFORE_ALL_ELSE);
        }
    }

    private void admit(RoutingContext request) {
        if (isAllowed(request.normalizedPath(), request.request().getHeader(HttpHeaders.AUTHORIZATION))) {
            request.next();
            return;
        }
        request.response()
                .setStatusCode(UNAUTHORIZED)
                .putHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
                .end();
    }

    /** @param authorization the header; may be null */
    boolean isAllowed(String path, String authorization) {
        boolean isOfMetrics = path.equals(METRICS) || path.startsWith(METRICS + "/");
        return !isOfMetrics || tokenFile.isEmpty() || isToken(authorization);
    }

    /** Reads the file each time, because a mounted Secret may change. Refuses every token if the file cannot be read. */
    private boolean isToken(String authorization) {
        if (authorization == null || !authorization.startsWith(BEARER)) {
            return false;
        }
        try {
            String token = Files.readString(tokenFile.orElseThrow()).strip();
            String text = authorization.substring(BEARER.length()).strip();
            return !token.isEmpty()
                    && MessageDigest.isEqual(
                            token.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException ignored) {
            return false;
        }
    }
}
