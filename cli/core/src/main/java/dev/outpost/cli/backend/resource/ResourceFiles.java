package dev.outpost.cli.backend.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads wanted resources from files of YAML or JSON. Refuses what it does not know, with the file and the line. */
final class ResourceFiles {
    private static final String STANDARD_INPUT = "-";
    private static final int MAX_DEPTH = 8;

    /** The maximum number of values in a file. A value counts each time an alias names it. */
    private static final int MAX_VALUES = 100_000;

    private static final List<String> PARTS = List.of("apiVersion", "kind", "metadata", "spec");

    private final List<Resource> all = new ArrayList<>();
    private final Map<List<Object>, String> origins = new HashMap<>();
    private String file = "";
    private int values;
    private Path folder = Path.of("");

    private ResourceFiles() {}

    /**
     * Reads all documents.
     *
     * @param names files, folders with files, or a dash for standard input
     */
    static List<Resource> read(List<String> names, InputStream input) {
        ResourceFiles reader = new ResourceFiles();
        for (String name : names) {
            if (name.equals(STANDARD_INPUT)) {
                reader.read("standard input", Path.of(""), text(input));
            } else {
                files(Path.of(name)).forEach(path -> reader.read(path.toString(), folder(path), text(path)));
            }
        }
        if (reader.all.isEmpty()) {
            throw new IllegalArgumentException("apply: no document is in " + String.join(", ", names));
        }
        return reader.all;
    }

    private static Path folder(Path path) {
        return path.getParent() == null ? Path.of("") : path.getParent();
    }

    private static List<Path> files(Path path) {
        if (!Files.exists(path)) {
            throw new IllegalArgumentException("apply: " + path + ": there is no such file or folder");
        }
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        try (Stream<Path> inside = Files.list(path)) {
            return inside.filter(one -> one.toString().matches(".*\\.(yaml|yml|json)"))
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("apply: " + path + " cannot be read", failure);
        }
    }

    private static String text(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException failure) {
            throw new UncheckedIOException("apply: " + path + " cannot be read as a text of UTF-8", failure);
        }
    }

    private static String text(InputStream input) {
        try {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("apply: standard input cannot be read", failure);
        }
    }

    private void read(String label, Path of, String text) {
        file = label;
        values = 0;
        folder = of;
        LoadSettings settings = LoadSettings.builder()
                .setLabel(label)
                .setAllowDuplicateKeys(false)
                .build();
        try {
            new Compose(settings).composeAllFromString(text).forEach(this::document);
        } catch (MarkedYamlEngineException failure) {
            throw refusal(line(failure.getProblemMark()), failure.getProblem());
        } catch (YamlEngineException failure) {
            throw refusal(1, failure.getMessage());
        }
    }

    private void document(Node root) {
        boolean isEmpty = root.getTag().equals(Tag.NULL);
        if (isEmpty) {
            return;
        }
        Map<String, Node> parts = mapping(root, "a document");
        requireKnown("part of a document", root, PARTS);
        if (!parts.containsKey("kind")) {
            throw refusal(line(root), "kind is missing; it is one of " + String.join(", ", ResourceKinds.names()));
        }
        String named = scalar(parts.get("kind"), "kind").asText();
        at(parts.get("kind"), "", () -> Field.requireKnown("kind", named, ResourceKinds.names()));
        ResourceKind kind = ResourceKinds.find(named);
        if (parts.containsKey("apiVersion")) {
            String version = scalar(parts.get("apiVersion"), "apiVersion").asText();
            if (!version.equals(ResourceYaml.VERSION)) {
                throw refusal(
                        line(parts.get("apiVersion")),
                        "apiVersion: expected " + ResourceYaml.VERSION + ", got \"" + version + "\"");
            }
        }
        if (!parts.containsKey("metadata")) {
            throw refusal(line(root), kind + ": metadata is missing; it has at least a name");
        }
        Map<String, String> metadata = new LinkedHashMap<>();
        String title = kind + " " + title(parts.get("metadata"));
        fields(kind.identity, "metadata", parts.get("metadata"), title, (field, value) -> {
            if (!value.isNull()) {
                metadata.put(field.name(), value.asText());
            }
        });
        if (metadata.getOrDefault("name", "").isEmpty()) {
            throw refusal(line(parts.get("metadata")), kind + ": metadata.name is missing");
        }
        ObjectNode spec = ResourceKind.MAPPER.createObjectNode();
        if (parts.containsKey("spec")) {
            fields(kind.fields, "spec", parts.get("spec"), title, (field, value) -> spec.set(field.name(), value));
        }
        add(Resource.wanted(kind, metadata, spec, file + ":" + line(root) + ": "));
    }

    private static String title(Node metadata) {
        return metadata instanceof MappingNode mapping
                ? mapping.getValue().stream()
                        .filter(one -> one.getKeyNode() instanceof ScalarNode key
                                && key.getValue().equals("name"))
                        .map(one -> one.getValueNode() instanceof ScalarNode value ? value.getValue() : "")
                        .findFirst()
                        .orElse("")
                : "";
    }

    private void add(Resource one) {
        String earlier = origins.putIfAbsent(List.of(one.kind().name, one.metadata()), one.origin());
        if (earlier != null) {
            throw new IllegalArgumentException(
                    one.origin() + one.title() + ": it is declared twice, first at " + earlier.replaceAll(": $", ""));
        }
        all.add(one);
    }

    private interface Values {
        void put(Field field, JsonNode value);
    }

    private void fields(List<Field> known, String part, Node node, String title, Values values) {
        Map<String, Node> entries = mapping(node, title + ": " + part);
        List<String> names = known.stream().map(Field::name).toList();
        ((MappingNode) node).getValue().forEach(one -> {
            String name = scalar(one.getKeyNode(), part).asText();
            at(
                    one.getKeyNode(),
                    title + ": " + part + "." + name + ": ",
                    () -> Field.requireKnown("field", name, names));
        });
        known.stream().filter(field -> entries.containsKey(field.name())).forEach(field -> {
            Node value = entries.get(field.name());
            at(
                    value,
                    title + ": " + part + "." + field.name() + ": ",
                    () -> values.put(field, resolved(field, field.parse(json(value, 0)))));
        });
    }

    /** Returns a path relative to the folder of the file. */
    private JsonNode resolved(Field field, JsonNode value) {
        return field.type() == Path.class && value.isTextual()
                ? TextNode.valueOf(folder.resolve(value.asText()).toString())
                : value;
    }

    /** Runs a check, and adds the place and the subject to its message. */
    private void at(Node node, String subject, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException failure) {
            throw refusal(line(node), subject + failure.getMessage());
        }
    }

    private void requireKnown(String what, Node node, List<String> known) {
        ((MappingNode) node).getValue().forEach(one -> {
            String name = scalar(one.getKeyNode(), what).asText();
            at(one.getKeyNode(), "", () -> Field.requireKnown(what, name, known));
        });
    }

    private Map<String, Node> mapping(Node node, String what) {
        if (!(node instanceof MappingNode mapping)) {
            throw refusal(line(node), what + " is a map of names and values, got something else");
        }
        Map<String, Node> entries = new LinkedHashMap<>();
        mapping.getValue().forEach(one -> {
            String name = scalar(one.getKeyNode(), what).asText();
            if (entries.put(name, one.getValueNode()) != null) {
                throw refusal(line(one.getKeyNode()), what + ": " + name + " is given twice");
            }
        });
        return entries;
    }

    private JsonNode scalar(Node node, String what) {
        if (!(node instanceof ScalarNode text)) {
            throw refusal(line(node), what + ": expected a text, got a list or a map");
        }
        return TextNode.valueOf(text.getValue());
    }

    /** Returns a value whose scalars are texts or null. An anchor may contain itself, so the depth is limited. */
    private JsonNode json(Node node, int depth) {
        values++;
        if (values > MAX_VALUES) {
            throw new IllegalArgumentException(
                    "expected at most " + MAX_VALUES + " values in a file, got more; an alias counts each time");
        }
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("expected at most " + MAX_DEPTH + " levels, got more");
        }
        return switch (node) {
            case SequenceNode list -> {
                var all = ResourceKind.MAPPER.createArrayNode();
                list.getValue().forEach(one -> all.add(json(one, depth + 1)));
                yield all;
            }
            case MappingNode map -> {
                ObjectNode object = ResourceKind.MAPPER.createObjectNode();
                for (NodeTuple one : map.getValue()) {
                    if (!(one.getKeyNode() instanceof ScalarNode key)) {
                        throw new IllegalArgumentException("expected a text as the name of a value");
                    }
                    if (object.replace(key.getValue(), json(one.getValueNode(), depth + 1)) != null) {
                        throw new IllegalArgumentException(key.getValue() + " is given twice");
                    }
                }
                yield object;
            }
            case ScalarNode text when text.getTag().equals(Tag.NULL) -> NullNode.instance;
            case ScalarNode text -> TextNode.valueOf(text.getValue());
            default -> throw new IllegalArgumentException("expected a value, got " + node.getNodeType());
        };
    }

    private static int line(Node node) {
        return line(node.getStartMark());
    }

    private static int line(java.util.Optional<Mark> mark) {
        return mark.map(one -> one.getLine() + 1).orElse(1);
    }

    private IllegalArgumentException refusal(int line, String problem) {
        return new IllegalArgumentException(file + ":" + line + ": " + problem);
    }
}
