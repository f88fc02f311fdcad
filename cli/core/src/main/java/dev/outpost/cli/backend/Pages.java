package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.client.BackendClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads lists of a backend page by page. */
final class Pages {
    private Pages() {}

    /** @param parameters of the request; those that are empty are left out */
    static void read(
            BackendClient client, String path, Map<String, Optional<String>> parameters, Consumer<JsonNode> reader) {
        Map<String, Optional<String>> all = new HashMap<>(parameters);
        Optional<String> cursor;
        do {
            JsonNode page = client.get(BackendClient.path(path, all));
            page.path("items").forEach(reader);
            cursor = Optional.ofNullable(page.path("next").textValue());
            all.put("cursor", cursor);
        } while (cursor.isPresent());
    }

    static void read(BackendClient client, String path, Consumer<JsonNode> reader) {
        read(client, path, Map.of(), reader);
    }
}
