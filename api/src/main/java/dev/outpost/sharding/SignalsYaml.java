package dev.outpost.sharding;

import dev.outpost.sharding.Signal.Where;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads signals from YAML. Rejects unknown keys, with their line and column. */
record SignalsYaml(String file, int size) {
    private static final String MESHES = "meshes";
    private static final List<String> KEYS = List.of("shard", "replicated", "mesh", "spec", "backward", "compile");
    private static final List<String> KEYS_OF_SHARD = List.of("axis", "workers");

    private static final List<String> ROLES = List.of("activations", "weights");

    Signals parse(String yaml) {
        Node root = root(yaml);
        if (root == null) {
            return Signals.NONE;
        }
        Map<String, Node> entries = mapping(root, "signals by name");
        Map<String, Mesh> meshes = new LinkedHashMap<>();
        if (entries.containsKey(MESHES)) {
            mapping(entries.get(MESHES), "meshes by name").forEach((name, node) -> meshes.put(name, mesh(name, node)));
        }
        Map<String, Signal> signals = new LinkedHashMap<>();
        entries.forEach((name, node) -> {
            if (!name.equals(MESHES)) {
                signals.put(name, signal(name, node, meshes));
            }
        });
        entries.forEach((name, node) -> {
            if (!name.equals(MESHES)) {
                requireBackward(name, node, signals);
            }
        });
        return new Signals(signals, meshes);
    }

    private Node root(String yaml) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(file)
                .setAllowDuplicateKeys(false)
                .build();
        try {
            return new Compose(settings).composeString(yaml).orElse(null);
        } catch (MarkedYamlEngineException failure) {
            throw refusal(failure.getProblemMark(), failure.getProblem());
        }
    }

    // ---- signals

    private Signal signal(String name, Node node, Map<String, Mesh> meshes) {
        Map<String, Node> entries = mapping(node, "signal " + name + " as " + String.join(", ", KEYS));
        requireKnown("signal " + name, node, KEYS);
        List<String> ways = List.of("shard", "replicated", "mesh").stream()
                .filter(entries::containsKey)
                .toList();
        if (ways.size() > 1) {
            throw refusal(entries.get(ways.get(1)).getStartMark(), "signal " + name + ": expected one of " + ways);
        }
        if (entries.containsKey("spec") && !entries.containsKey("mesh")) {
            throw refusal(entries.get("spec").getStartMark(), "signal " + name + ": a spec is of a mesh, got none");
        }
        Where where = new Where.Anywhere();
        if (entries.containsKey("shard")) {
            where = cut(name, entries.get("shard"));
        } else if (entries.containsKey("mesh")) {
            where = onMesh(name, entries.get("mesh"), entries.get("spec"), meshes);
        } else if (entries.containsKey("replicated") && bool("replicated", entries.get("replicated"))) {
            where = new Where.Replicated(List.of());
        }
        Optional<String> backward = Optional.ofNullable(entries.get("backward")).map(text -> text("backward", text));
        boolean isCompiled = entries.containsKey("compile") && bool("compile", entries.get("compile"));
        return new Signal(where, backward, isCompiled);
    }

    private Where cut(String name, Node node) {
        Map<String, Node> entries = mapping(node, "shard as axis and workers");
        requireKnown("shard", node, KEYS_OF_SHARD);
        if (!entries.keySet().containsAll(KEYS_OF_SHARD)) {
            throw refusal(
                    node.getStartMark(), "signal " + name + ": expected axis and workers, got " + entries.keySet());
        }
        List<Integer> workers = new ArrayList<>();
        for (Node each : list("workers", entries.get("workers"))) {
            int rank = integer("a worker", each);
            if (rank >= size) {
                throw refusal(each.getStartMark(), "expected ranks from 0 to " + (size - 1) + ", got " + rank);
            }
            if (workers.contains(rank)) {
                throw refusal(each.getStartMark(), "expected each worker once, got " + rank + " again");
            }
            workers.add(rank);
        }
        if (workers.isEmpty()) {
            throw refusal(entries.get("workers").getStartMark(), "signal " + name + ": expected workers, got none");
        }
        return new Where.Cut(integer("axis", entries.get("axis")), workers);
    }

    private Where onMesh(String name, Node mesh, Node spec, Map<String, Mesh> meshes) {
        List<String> axes = new ArrayList<>();
        for (Node axis : list("mesh", mesh)) {
            axes.add(knownAxis(axis, meshes));
        }
        Map<String, List<Optional<String>>> dims = new LinkedHashMap<>();
        if (spec != null) {
            requireKnown("spec", spec, ROLES);
            mapping(spec, "spec by role").forEach((role, of) -> {
                List<Optional<String>> each = new ArrayList<>();
                for (Node dim : list(role, of)) {
                    Optional<String> axis =
                            dim.getTag().equals(Tag.NULL) ? Optional.empty() : Optional.of(text(role, dim));
                    if (axis.isPresent() && !axes.contains(axis.get())) {
                        throw refusal(
                                dim.getStartMark(),
                                "signal " + name + ": expected an axis of " + axes + " or null, got " + axis.get());
                    }
                    each.add(axis);
                }
                dims.put(role, List.copyOf(each));
            });
        }
        return new Where.OnMesh(axes, dims);
    }

    private String knownAxis(Node node, Map<String, Mesh> meshes) {
        String axis = text("an axis", node);
        if (meshes.values().stream().noneMatch(mesh -> mesh.axes().containsKey(axis))) {
            throw refusal(node.getStartMark(), "axis " + axis + " is of no mesh");
        }
        return axis;
    }

    private void requireBackward(String name, Node node, Map<String, Signal> signals) {
        Node backward = mapping(node, "a signal").get("backward");
        if (backward != null && !signals.containsKey(text("backward", backward))) {
            throw refusal(
                    backward.getStartMark(),
                    "signal " + name + ": backward signal " + text("backward", backward) + " is not configured");
        }
    }

    private Mesh mesh(String name, Node node) {
        Map<String, Integer> axes = new LinkedHashMap<>();
        mapping(node, "axes of a mesh, with their sizes").forEach((axis, of) -> axes.put(axis, integer(axis, of)));
        long places = axes.values().stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
        if (axes.isEmpty() || places < 1 || places > size) {
            throw refusal(
                    node.getStartMark(),
                    "mesh " + name + ": expected axes of 1 to " + size + " workers together, got " + places);
        }
        return new Mesh(axes, IntStream.range(0, (int) places).boxed().toList());
    }

    // ---- YAML

    private Map<String, Node> mapping(Node node, String expected) {
        if (!(node instanceof MappingNode mapping)) {
            throw refusal(node.getStartMark(), "expected " + expected);
        }
        Map<String, Node> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            entries.put(text("a name", tuple.getKeyNode()), tuple.getValueNode());
        }
        return entries;
    }

    private void requireKnown(String of, Node node, List<String> known) {
        for (NodeTuple tuple : ((MappingNode) node).getValue()) {
            String key = text("a key", tuple.getKeyNode());
            if (!known.contains(key)) {
                throw refusal(
                        tuple.getKeyNode().getStartMark(),
                        of + ": unknown key " + key + "; known are " + String.join(", ", known));
            }
        }
    }

    private List<Node> list(String of, Node node) {
        if (!(node instanceof SequenceNode sequence)) {
            throw refusal(node.getStartMark(), of + ": expected a list");
        }
        return sequence.getValue();
    }

    private String text(String of, Node node) {
        if (!(node instanceof ScalarNode scalar)) {
            throw refusal(node.getStartMark(), of + ": expected a name");
        }
        return scalar.getValue();
    }

    private int integer(String of, Node node) {
        try {
            int value = Integer.parseInt(text(of, node));
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException ignored) {
            // This is handled below, like a negative number.
        }
        throw refusal(node.getStartMark(), of + ": expected a number from 0 on, got " + text(of, node));
    }

    private boolean bool(String of, Node node) {
        return switch (text(of, node)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw refusal(node.getStartMark(), of + ": expected true or false, got " + text(of, node));
        };
    }

    private OutpostException refusal(Optional<Mark> at, String problem) {
        String place = at.map(mark -> ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1))
                .orElse("");
        return new OutpostException(FaultKind.USER, "signals: " + file + place + ": " + problem);
    }
}
