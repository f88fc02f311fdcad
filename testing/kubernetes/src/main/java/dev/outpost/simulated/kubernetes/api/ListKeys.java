package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The lists whose items are identified by a key, as in the schemas of the built-in kinds. All other lists are one value. */
final class ListKeys {
    private static final Map<String, List<String>> KEYS = Map.of(
            "containers", List.of("name"),
            "initContainers", List.of("name"),
            "env", List.of("name"),
            "volumes", List.of("name"),
            "volumeMounts", List.of("mountPath"),
            "imagePullSecrets", List.of("name"),
            "conditions", List.of("type"),
            "ownerReferences", List.of("uid"));

    private ListKeys() {}

    /** Returns the keys that identify the items of a list; empty if the list is one value. */
    static Optional<List<String>> of(String field, JsonNode list) {
        if (field.equals("ports")) {
            boolean ofContainer = list.path(0).has("containerPort");
            return Optional.of(List.of(ofContainer ? "containerPort" : "port", "protocol"));
        }
        return Optional.ofNullable(KEYS.get(field));
    }

    /** Returns the key of an item. */
    static ObjectNode key(List<String> keys, JsonNode item) {
        ObjectNode key = JsonObjects.object();
        for (String name : keys) {
            JsonNode value = item.path(name);
            if (!value.isMissingNode()) {
                key.set(name, value);
            } else if (name.equals("protocol")) {
                key.put(name, "TCP");
            }
        }
        return key;
    }
}
