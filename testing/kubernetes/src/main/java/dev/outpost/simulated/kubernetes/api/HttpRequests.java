package dev.outpost.simulated.kubernetes.api;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Reads the requests of clients from the heads of HTTP requests. */
final class HttpRequests {
    private HttpRequests() {}

    static ApiRequest read(HttpServerRequest http, ResourcePath path) {
        boolean watching = "true".equals(http.getParam("watch"));
        return new ApiRequest(
                Verb.of(http.method().name(), path, watching),
                path,
                query(http.params()),
                Objects.requireNonNullElse(http.getHeader("Content-Type"), "application/json"),
                manager(http),
                "");
    }

    private static Map<String, String> query(MultiMap parameters) {
        Map<String, String> query = new LinkedHashMap<>();
        parameters.forEach(parameter -> query.putIfAbsent(parameter.getKey(), parameter.getValue()));
        return query;
    }

    /** Returns the name of the field manager; by default, as in the real server, the client's own name. */
    private static String manager(HttpServerRequest http) {
        String text = http.getParam("fieldManager");
        if (text != null) {
            return text;
        }
        return Objects.requireNonNullElse(http.getHeader("User-Agent"), "unknown")
                .split("/")[0];
    }
}
