package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Objects as text, as trees, and as Fabric8's classes. */
final class JsonObjects {
    private static final ObjectMapper TREES = new ObjectMapper();
    private static final KubernetesSerialization OBJECTS = new KubernetesSerialization();

    private JsonObjects() {}

    static ObjectNode object() {
        return TREES.createObjectNode();
    }

    /** Parses an object in JSON. */
    static ObjectNode parse(String json) {
        try {
            if (TREES.readTree(json) instanceof ObjectNode object) {
                return object;
            }
            throw ApiStatusException.badRequest("body: expected an object, got " + json);
        } catch (JsonProcessingException failure) {
            throw ApiStatusException.badRequest("body: expected JSON, " + failure.getOriginalMessage());
        }
    }

    /** Parses an object in YAML, which includes JSON. */
    static ObjectNode parseYaml(String yaml) {
        return yaml.startsWith("{") ? parse(yaml) : parse(OBJECTS.convertToJson(yaml));
    }

    static <T extends HasMetadata> T read(JsonNode tree, Class<T> type) {
        return OBJECTS.unmarshal(tree.toString(), type);
    }

    static ObjectNode write(HasMetadata object) {
        return parse(OBJECTS.asJson(object));
    }

    /** Returns the text at a path such as {@code metadata.name}; empty if it does not exist. */
    static String text(JsonNode object, String path) {
        JsonNode node = object;
        for (String field : path.split("\\.")) {
            node = node.path(field);
        }
        return node.asText();
    }

    static ObjectNode metadata(ObjectNode object) {
        return object.withObjectProperty("metadata");
    }
}
