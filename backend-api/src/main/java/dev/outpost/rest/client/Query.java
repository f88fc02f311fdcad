package dev.outpost.rest.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A path with parameters. Absent parameters are left out. */
final class Query {
    private final String path;
    private final Map<String, String> parameters = new TreeMap<>();

    Query(String path) {
        this.path = path;
    }

    /** Returns the path of one thing in a collection. */
    static Query path(String collection, String name) {
        return new Query(collection + "/"
                + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"));
    }

    /** @param value null to omit the parameter */
    Query with(String name, @Nullable Object value) {
        if (value != null) {
            parameters.put(name, value.toString());
        }
        return this;
    }

    @Override
    public String toString() {
        return parameters.isEmpty()
                ? path
                : parameters.entrySet().stream()
                        .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&", path + "?", ""));
    }
}
