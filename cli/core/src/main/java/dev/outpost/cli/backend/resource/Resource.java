package dev.outpost.cli.backend.resource;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A resource of a kind, as it is or as it shall be.
 *
 * @param metadata the values that identify it, by the names of fields
 * @param spec the values of its fields; null for a value that shall be the default
 * @param version the version that was read; -1 if there is none
 * @param view what the backend shows of it; an empty object for a wanted resource
 * @param origin the file and line that wants it, followed by a colon and a space; empty for a command
 */
record Resource(
        ResourceKind kind, Map<String, String> metadata, ObjectNode spec, long version, JsonNode view, String origin) {
    private static final String ORGANISATION = "organisation";

    static Resource wanted(ResourceKind kind, Map<String, String> metadata, ObjectNode spec, String origin) {
        return new Resource(kind, metadata, spec, -1, ResourceKind.MAPPER.createObjectNode(), origin);
    }

    /** Reads a resource from the view of the backend. */
    static Resource present(ResourceKind kind, ObjectNode view, Map<String, String> scope) {
        Map<String, String> metadata = new LinkedHashMap<>();
        for (Field field : kind.identity) {
            JsonNode value = field.parse(view.path(field.source()));
            // The views of an organisation's limits do not repeat whose they are.
            boolean isOfScope = value.isNull() && field.name().equals(ORGANISATION);
            String text = isOfScope ? scope.get(ORGANISATION) : value.asText("");
            if (text != null && !text.isEmpty()) {
                metadata.put(field.name(), text);
            }
        }
        ObjectNode spec = ResourceKind.MAPPER.createObjectNode();
        for (Field field : kind.fields) {
            JsonNode value = field.isLocal() ? NullNode.instance : field.parse(view.path(field.source()));
            boolean isEmpty = value.isNull() || value.isContainerNode() && value.isEmpty();
            if (!isEmpty) {
                spec.set(field.name(), value);
            }
        }
        return new Resource(kind, metadata, spec, view.path("version").asLong(-1), view, "");
    }

    String name() {
        return metadata.get("name");
    }

    @Nullable
    String part(String field) {
        return metadata.get(field);
    }

    /** Returns such as {@code Key ci of project vision}. */
    String title() {
        StringBuilder title = new StringBuilder(kind.name + " " + name());
        metadata.forEach((field, value) -> {
            if (field.equals("project")) {
                title.append(" of project ").append(value);
            } else if (!field.equals("name") && !(field.equals("id"))) {
                title.append(", ").append(field).append(" ").append(value);
            }
        });
        return title.toString();
    }

    /** True if a wanted resource is this one. A loose field of the wanted one may be absent. */
    boolean isMatchFor(Resource wanted, List<String> loose) {
        return kind.identity.stream()
                .map(Field::name)
                .filter(field -> !(loose.contains(field) && wanted.part(field) == null))
                .filter(field -> !field.equals("id"))
                .allMatch(field -> Objects.equals(wanted.part(field), part(field)));
    }

    /** True if all that a wanted resource names is of this one, or if its name is the id of this one. */
    boolean isExactly(Resource wanted) {
        boolean isNamed = isMatchFor(wanted, List.of())
                && (wanted.part("id") == null || wanted.part("id").equals(part("id")));
        return isNamed || wanted.name().equals(part("id"));
    }

    /** Returns this wanted resource with the present values of the fields that it leaves out. */
    Resource over(Resource present) {
        ObjectNode whole = present.spec().deepCopy();
        spec.properties().forEach(one -> whole.set(one.getKey(), one.getValue()));
        Map<String, String> all = new LinkedHashMap<>(present.metadata());
        all.keySet().removeIf(field -> kind.loose.contains(field) && part(field) == null);
        return new Resource(kind, all, whole, present.version(), present.view(), origin);
    }

    /** Returns the changes that make a present resource this wanted one, each as a line. */
    List<String> changes(Resource present) {
        boolean isHidden = kind.fields.stream().allMatch(Field::isLocal);
        if (isHidden) {
            return values();
        }
        return spec.properties().stream()
                .filter(one -> !kind.isLocal(one.getKey()) && !isSame(one.getValue(), value(present, one.getKey())))
                .map(one -> one.getKey() + ": " + text(one.getKey(), value(present, one.getKey())) + " -> "
                        + text(one.getKey(), one.getValue()))
                .toList();
    }

    /** Returns the wanted values, each as a line. */
    List<String> values() {
        return spec.properties().stream()
                .map(one -> one.getKey() + ": " + text(one.getKey(), one.getValue()))
                .toList();
    }

    @Nullable
    String text(String field) {
        JsonNode value = spec.get(field);
        return value == null || value.isNull() ? null : value.asText();
    }

    private static JsonNode value(Resource present, String field) {
        JsonNode value = present.spec().get(field);
        return value == null ? NullNode.instance : value;
    }

    private static boolean isSame(JsonNode wanted, JsonNode present) {
        boolean isEmpty = wanted.isContainerNode() && wanted.isEmpty();
        return isEmpty ? present.isNull() : wanted.equals(present);
    }

    private String text(String field, JsonNode value) {
        if (value.isNull()) {
            return "(default)";
        }
        return kind.hidden.contains(field)
                ? value.properties().stream()
                        .map(pair -> pair.getKey() + "=(hidden)")
                        .collect(Collectors.joining(","))
                : Field.shown(value);
    }

    /** @throws IllegalArgumentException if a new resource lacks a field */
    void requireComplete() {
        boolean isHidden = !kind.fields.isEmpty() && kind.fields.stream().allMatch(Field::isLocal);
        if (isHidden && spec.isEmpty() && !origin.isEmpty()) {
            throw new IllegalArgumentException(title() + ": it is not there yet, so one of "
                    + kind.fields.stream().map(Field::name).collect(Collectors.joining(", ")) + " is needed");
        }
        kind.fields.stream()
                .filter(field -> field.isRequired()
                        && (!spec.has(field.name()) || spec.get(field.name()).isNull()))
                .findFirst()
                .ifPresent(field -> {
                    throw new IllegalArgumentException(title() + ": " + field.name() + " is missing ("
                            + field.description().replaceAll("\\.$", "") + ")");
                });
    }

    /** Returns the request with the values of this resource. */
    <T> T as(Class<T> request) {
        return as(request, tree());
    }

    <T> T as(Class<T> request, JsonNode tree) {
        try {
            return ResourceKind.request(tree, request);
        } catch (JsonProcessingException failure) {
            throw new IllegalArgumentException(title() + ": " + failure.getOriginalMessage(), failure);
        }
    }

    /** Returns all values by the names that the backend's records have. */
    ObjectNode tree() {
        ObjectNode tree = ResourceKind.MAPPER.createObjectNode();
        kind.identity.forEach(field -> {
            if (part(field.name()) != null) {
                tree.put(field.source(), part(field.name()));
            }
        });
        kind.fields.forEach(field -> {
            if (spec.has(field.name()) && !field.isLocal()) {
                tree.set(field.source(), spec.get(field.name()));
            } else if (field.preset() != null) {
                tree.put(field.source(), field.preset());
            }
        });
        return tree;
    }
}
